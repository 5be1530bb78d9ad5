import { ApiError, messageOf } from '../api/api-error.ts';

/** An error as the server says it, with its causes at their fields. */
export function ErrorNotice({ error, title }: { readonly error: unknown; readonly title?: string }) {
  const causes = error instanceof ApiError ? error.causes : [];
  return (
    <div class="notice bad" role="alert">
      {title !== undefined && <strong>{title}</strong>}
      <p>{causes.length > 1 ? firstPart(messageOf(error)) : messageOf(error)}</p>
      {causes.length > 1 && (
        <ul>
          {causes.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {field !== undefined && field !== '' && <code>{field}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** `X "y" is invalid: [...]` names all causes, which follow as a list. */
function firstPart(message: string): string {
  const at = message.indexOf(' is invalid: ');
  return at === -1 ? message : `${message.slice(0, at)} is invalid:`;
}
