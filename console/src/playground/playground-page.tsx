import { useEffect, useMemo, useState } from 'preact/hooks';
import { PageHead } from '../app/page-head.tsx';
import { place } from '../app/router.ts';
import { EditorBox } from '../object/editor-box.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { AnswerPanel } from './answer-panel.tsx';
import { CaseTools } from './case-tools.tsx';
import { caseIn, hasCase } from './case-link.ts';
import { change, current, failure, followCase, isRuleAlone, load, loads, problems } from './case-store.ts';
import type { DocumentName } from './playground-case.ts';
import { RuleBox } from './rule-box.tsx';
import { loadRule, rulePlaceIn } from './rule-link.ts';
import { loadObject } from './server-texts.ts';
import { WriterPanel } from './writer-panel.tsx';

/** Evaluates rules and policies on an object without storing it. */
export function PlaygroundPage() {
  const [trouble, setTrouble] = useState<unknown>(undefined);
  useWhileShown(followCase, []);
  useLinks(setTrouble);
  useObject(setTrouble);
  return (
    <>
      <PageHead title="Playground">
        <CaseTools onTrouble={setTrouble} />
      </PageHead>
      {trouble !== undefined && <ErrorNotice error={trouble} />}
      <div class="playground">
        <div class="playground-texts">
          <Tabs
            label="What decides"
            start={whatDecides()}
            key={loads.value}
            tabs={[
              document('definition', 'Definition or schema', 'Definition'),
              document('policies', 'Policies, bindings, parameters', 'Policies'),
              { id: 'rule', label: 'One rule', content: () => <RuleBox /> },
            ]}
          />
          <Tabs
            label="What is written"
            tabs={[
              document('object', 'Object', 'Object'),
              document('oldObject', 'Old object', 'Old object'),
              { id: 'writer', label: 'Who and where', content: () => <WriterPanel /> },
            ]}
          />
        </div>
        <section class="playground-answer" aria-label="Answer">
          {failure.value === undefined ? (
            <AnswerPanel />
          ) : (
            <ErrorNotice title="The playground request failed" error={failure.value} />
          )}
        </section>
      </div>
    </>
  );
}

/** The tab of the case. */
function whatDecides(): string {
  const { definition, policies } = current.peek();
  if (isRuleAlone.peek()) return 'rule';
  return definition === '' && policies !== '' ? 'policies' : 'definition';
}

function document(name: DocumentName, label: string, tab: string) {
  const isUnused = isRuleAlone.value && (name === 'definition' || name === 'policies');
  const count = isUnused ? 0 : problems.value[name].length;
  return {
    id: name,
    label: isUnused ? `${tab} (unused)` : count === 0 ? tab : `${tab} (${count} wrong)`,
    content: () => <DocumentEditor key={name} name={name} label={label} />,
  };
}

function DocumentEditor({ name, label }: { readonly name: DocumentName; readonly label: string }) {
  // The editor has the text; another one comes only from elsewhere.
  const version = loads.value;
  const text = useMemo(() => current.peek()[name], [name, version]);
  return (
    <EditorBox
      key={version}
      text={text}
      label={`${label} as YAML`}
      schema={undefined}
      findings={
        isRuleAlone.value && (name === 'definition' || name === 'policies') ? [] : problems.value[name]
      }
      onChange={(text) => change({ [name]: text })}
      onSend={() => {}}
    />
  );
}

/** Takes the case out of the address, also when another one is pasted while the page is open. */
function useLinks(onTrouble: (error: unknown) => void): void {
  useEffect(() => {
    const read = () => {
      if (!hasCase(location.hash)) return;
      onTrouble(undefined);
      caseIn(location.hash).then(load, onTrouble);
    };
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
}

/** Takes over the object, or the rule, that the address names. */
function useObject(onTrouble: (error: unknown) => void): void {
  const { query } = place.value;
  const part = (name: string) => query.get(name) ?? '';
  useEffect(() => {
    const rule = rulePlaceIn(query);
    if (rule !== undefined) loadRule(rule).then(load, onTrouble);
    if (part('name') === '') return;
    const ref = { group: part('group'), version: part('version'), plural: part('plural') };
    loadObject(ref, { namespace: part('namespace'), name: part('name') }).then(
      (texts) => load({ rule: '', policies: '', user: '', groups: [], namespaceLabels: {}, ...texts }),
      onTrouble,
    );
  }, [query.toString()]);
}
