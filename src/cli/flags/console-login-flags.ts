import { CodeLogin } from '../../authn/index.ts';
import { readFlagFile } from './flag-file.ts';

interface ConsoleLoginFlags {
  readonly consoleOidc: boolean;
  readonly consoleOidcClientSecretFile?: string;
  readonly oidcIssuerUrl?: string;
  readonly oidcClientId?: string;
  readonly oidcCaFile?: string;
  readonly oidcUsernameClaim: string;
  readonly oidcGroupsClaim: string;
}

/** The claims of each scope that is no claim itself. Source: OpenID Connect Core 1.0, 5.4. */
const claimsOfScope: Readonly<Record<string, readonly string[]>> = {
  email: ['email'],
  profile: ['name', 'preferred_username', 'nickname'],
  groups: ['groups'],
};

/** The issuer where users sign in to the console; undefined without `--console-oidc`. @throws {Error} that names the flag */
export async function consoleLoginFlags(
  flags: ConsoleLoginFlags,
  onTrouble: (error: unknown) => void,
): Promise<CodeLogin | undefined> {
  const {
    consoleOidc,
    consoleOidcClientSecretFile: secretFile,
    oidcIssuerUrl,
    oidcClientId,
    oidcCaFile,
  } = flags;
  if (!consoleOidc) {
    if (secretFile !== undefined) throw new Error('--console-oidc-client-secret-file needs --console-oidc');
    return undefined;
  }
  if (oidcIssuerUrl === undefined || oidcClientId === undefined)
    throw new Error('--console-oidc needs --oidc-issuer-url and --oidc-client-id');
  const claims = [flags.oidcUsernameClaim, flags.oidcGroupsClaim];
  const scopes = Object.keys(claimsOfScope).filter((scope) =>
    claimsOfScope[scope]?.some((claim) => claims.includes(claim)),
  );
  return new CodeLogin({
    issuerUrl: oidcIssuerUrl,
    clientId: oidcClientId,
    clientSecret:
      secretFile === undefined
        ? ''
        : (await readFlagFile('--console-oidc-client-secret-file', secretFile)).trim(),
    caPem: oidcCaFile === undefined ? undefined : await readFlagFile('--oidc-ca-file', oidcCaFile),
    scopes: ['openid', ...scopes],
    onTrouble,
  });
}
