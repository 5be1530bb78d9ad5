import {
  isObject,
  type JsonObject,
  type JsonValue,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { LoadError, loadObjects } from '../../manifests/index.ts';
import { type CrdChange, ruleNames } from '../../diff/index.ts';

/** How the changes of a rule count: as breaking, as safe, or not at all. */
type RuleSetting = 'breaking' | 'safe' | 'off';

/** Known and accepted changes. An absent condition matches everything. */
interface Ignored {
  readonly rule?: string;
  readonly crd?: string;
  readonly version?: string;
  /** A field, with everything below it: `.spec.old`. */
  readonly path?: string;
}

/** The configuration of `ilk diff`. */
interface DiffConfiguration {
  readonly rules: ReadonlyMap<string, RuleSetting>;
  readonly ignore: readonly Ignored[];
}

export const defaultConfiguration: DiffConfiguration = Object.freeze({ rules: new Map(), ignore: [] });

/**
 * Parses `{rules: {default: safe, enum: off}, ignore: [{rule: type, crd: a.example.com, path: .spec.old}]}`.
 *
 * @throws {LoadError} for an invalid configuration
 */
export async function readConfiguration(file: string): Promise<DiffConfiguration> {
  const [loaded, more] = await loadObjects(file);
  if (loaded === undefined || more !== undefined) throw new LoadError(`${file}: not one document`);
  const { object } = loaded;
  const unknown = Object.keys(object).find((key) => key !== 'rules' && key !== 'ignore');
  if (unknown !== undefined)
    throw new LoadError(`${file}: unknown field ${unknown}: it has rules and ignore`);
  const rules = Object.entries(ownObject(object, 'rules') ?? {}).map(
    ([name, setting]) => [knownRule(name, file), settingOf(name, setting, file)] as const,
  );
  const ignore = (ownList(object, 'ignore') ?? []).map((entry) => ignoredOf(entry, file));
  return { rules: new Map(rules), ignore };
}

function knownRule(name: string, file: string): string {
  if (ruleNames.includes(name)) return name;
  throw new LoadError(`${file}: there is no rule ${name}: it is one of ${ruleNames.join(', ')}`);
}

function settingOf(name: string, setting: JsonValue, file: string): RuleSetting {
  if (setting === 'breaking' || setting === 'safe' || setting === 'off') return setting;
  // YAML 1.1 reads `off` as false.
  if (setting === false) return 'off';
  throw new LoadError(`${file}: rules.${name} must be breaking, safe or off`);
}

function ignoredOf(entry: JsonValue, file: string): Ignored {
  if (!isObject(entry)) throw new LoadError(`${file}: what is in ignore must be objects`);
  const unknown = Object.keys(entry).find((key) => !['rule', 'crd', 'version', 'path'].includes(key));
  if (unknown !== undefined) throw new LoadError(`${file}: unknown field ignore[].${unknown}`);
  const rule = ownString(entry, 'rule');
  if (rule !== undefined) knownRule(rule, file);
  return textsOf(entry);
}

function textsOf(entry: JsonObject): Ignored {
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, String(value)]));
}

/** Applies a configuration to the changes. */
export function judged(changes: readonly CrdChange[], { rules, ignore }: DiffConfiguration): CrdChange[] {
  return changes.flatMap((change) => {
    const setting = rules.get(change.rule);
    if (setting === 'off' || ignore.some((one) => isIgnored(change, one))) return [];
    return [setting === undefined ? change : { ...change, severity: setting }];
  });
}

function isIgnored(change: CrdChange, { rule, crd, version, path }: Ignored): boolean {
  if (rule !== undefined && rule !== change.rule) return false;
  if (crd !== undefined && crd !== change.crd) return false;
  if (version !== undefined && version !== change.version) return false;
  if (path === undefined || change.path === path) return true;
  return change.path.startsWith(`${path}.`) || change.path.startsWith(`${path}[`);
}
