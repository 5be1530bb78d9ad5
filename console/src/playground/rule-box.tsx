import { useId, useState } from 'preact/hooks';
import { change, current, loads, problems } from './case-store.ts';
import { assumedSize } from './single-rule.ts';

/** One rule without a schema: the value it is tried on says what types there are. */
export function RuleBox() {
  return <RuleText key={loads.value} />;
}

function RuleText() {
  const id = useId();
  const [text, setText] = useState(current.peek().rule);
  const found = text.trim() === '' ? [] : problems.value.definition;
  return (
    <div class="rule-box">
      <label for={id}>A CEL rule about self</label>
      <textarea
        id={id}
        class="input mono"
        rows={4}
        value={text}
        placeholder="self.replicas <= self.maxReplicas"
        spellcheck={false}
        autocomplete="off"
        aria-invalid={found.length > 0}
        aria-describedby={`${id}-help`}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          change({ rule: currentTarget.value });
        }}
      />
      {found.map(({ message }) => (
        <p key={message} class="notice bad">
          {message}
        </p>
      ))}
      <p id={`${id}-help`} class="muted">
        <code>self</code> is what stands under <em>Object</em>, and <code>oldSelf</code> what stands under{' '}
        <em>Old object</em>: any value, such as <code>replicas: 3</code>. Types are those of the values; texts
        and lists count as up to {assumedSize.toLocaleString('en')} long in the estimate. While there is a
        rule here, definition and policies are left out; empty the box to use them again.
      </p>
    </div>
  );
}
