import { useEffect, useRef } from 'preact/hooks';
import type { KindSchema } from '../api/kind-schema.ts';
import type { Finding, LineFinding, YamlEditor } from './yaml-editor.ts';

interface EditorBoxProps {
  /** A new text replaces the content of the editor; undefined keeps it. */
  readonly text: string | undefined;
  readonly label: string;
  readonly schema: KindSchema | undefined;
  /** See `EditorOptions`; it is the same for as long as the box is shown, or left out. */
  readonly tryOut?: (text: string) => Promise<Finding | undefined>;
  readonly findings?: readonly LineFinding[];
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
}

/** An editor, whose code is loaded when the first one is shown. */
export function EditorBox(props: EditorBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const editor = useRef<YamlEditor | undefined>(undefined);
  latest.current = props;
  useEffect(() => {
    let isGone = false;
    void import('./yaml-editor.ts').then(({ YamlEditor }) => {
      if (isGone || box.current === null) return;
      editor.current = new YamlEditor({
        parent: box.current,
        text: latest.current.text ?? '',
        label: props.label,
        schema: () => latest.current.schema,
        tryOut: props.tryOut === undefined ? undefined : async (text) => latest.current.tryOut?.(text),
        onChange: (text) => latest.current.onChange(text),
        onSend: () => latest.current.onSend(),
      });
      if (latest.current.findings !== undefined) editor.current.findings = latest.current.findings;
    });
    return () => {
      isGone = true;
      editor.current?.destroy();
    };
  }, [props.label]);
  useEffect(() => {
    if (editor.current !== undefined && props.text !== undefined) editor.current.text = props.text;
  }, [props.text]);
  useEffect(() => {
    if (editor.current !== undefined && props.findings !== undefined)
      editor.current.findings = props.findings;
  }, [props.findings]);
  return <div class="editor" ref={box} />;
}

/** What differs between two texts. */
export function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let end = () => {};
    let isGone = false;
    void import('./yaml-editor.ts').then(({ showDifference }) => {
      if (!isGone && box.current !== null) end = showDifference(box.current, { before, after });
    });
    return () => {
      isGone = true;
      end();
    };
  }, [before, after]);
  return before === after ? <p class="muted">Nothing differs.</p> : <div class="difference" ref={box} />;
}
