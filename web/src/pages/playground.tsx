// Playground: calls through the gateway as the holder of an API key. The key is in the memory of this page alone, and what is said is kept nowhere.
import { useEffect, useRef, useState } from "preact/hooks";
import { needs } from "../api";
import { useCall } from "../data";
import { Answer } from "../play/answer";
import { bodyOf, route, parameters, roles, run, wrong, type Form, type Message, type Progress, type Role } from "../play/chat";

import { useKnown, useMay } from "../session";
import { usePlace } from "../state";
import { Area, Check, Segments, Select, TextField } from "../ui/forms";
import { Page } from "../ui/page";

export function Playground() {
  const { models } = useKnown();
  const { params } = usePlace();
  const may = useMay(route);
  const [key, setKey] = useState("");
  const [form, setForm] = useState<Form>({ model: params.get("model") ?? models[0] ?? "", system: "", messages: [{ role: "user", content: "" }], values: {}, stream: true });
  const [raw, setRaw] = useState<string | null>(null); // as it is edited; null shows the form
  const call = useRun();
  const change = (part: Partial<Form>) => setForm({ ...form, ...part });
  const body = raw ?? JSON.stringify(bodyOf(form), null, 2);
  const fault = raw === null ? null : faultOf(raw);
  const bad = parameters.some(({ name }) => wrong(name, form.values[name] ?? "") !== null);
  const ready = key.trim() !== "" && fault === null && (raw !== null || (form.model !== "" && !bad && form.messages.some(({ content }) => content.trim() !== "")));
  const submit = () => {
    if (ready && !call.running) call.start(body, key.trim());
  };
  const keep = (text: string) => {
    change({ messages: [...form.messages, { role: "assistant", content: text }, { role: "user", content: "" }] });
    setRaw(null);
  };
  if (!may) return <Page title="Playground"><section class="panel state"><strong>Your role does not allow this</strong><span>It takes the permission {needs[route]}.</span></section></Page>;
  return (
    <Page title="Playground">
      <div class="play" onKeyDown={(event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && submit()}>
        <Settings apiKey={key} onKey={setKey} form={form} change={change} off={raw !== null} />
        <div class="stack">
          <section class="panel" aria-label="Request">
            <header>
              <Segments label="Write the request as" value={raw === null ? "form" : "raw"} options={[{ value: "form", label: "Messages" }, { value: "raw", label: "JSON" }]} onChange={(value) => setRaw(value === "raw" ? body : null)} />
              {raw !== null && <span class="muted small">This is sent as it is. Messages does not take it over.</span>}
              <div class="rest">
                {call.running ? <button type="button" onClick={call.stop}>Stop</button> : <button class="primary" disabled={!ready} title="Ctrl Enter" onClick={submit}>Send</button>}
              </div>
            </header>
            <div class="body stack small-gap">
              {raw === null ? <Messages form={form} change={change} /> : <Area code label="Body of POST /v1/chat/completions" rows={16} value={raw} onInput={setRaw} wrong={fault} />}
              {key.trim() === "" && <span class="muted small">An API key is wanted: the call counts and costs as one of that key.</span>}
            </div>
          </section>
          {call.progress && <Answer progress={call.progress} onKeep={keep} />}
        </div>
      </div>
    </Page>
  );
}

function faultOf(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "This is no JSON.";
  }
}

/** One call at a time. What comes is shown once a frame, however many pieces there are. */
function useRun() {
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);
  const latest = useRef<Progress | null>(null);
  const frame = useRef(0);
  useEffect(() => () => running.current?.abort(), []);
  const told = (now: Progress) => {
    latest.current = now;
    if (frame.current === 0) {
      frame.current = requestAnimationFrame(() => {
        frame.current = 0;
        setProgress(latest.current);
      });
    }
  };
  const start = (body: string, key: string) => {
    const { signal } = (running.current = new AbortController());
    void run(body, key, (now) => running.current?.signal === signal && told(now), signal);
  };
  return { progress, running: progress !== null && !progress.ended, start, stop: () => running.current?.abort() };
}

interface Changing {
  form: Form;
  change: (part: Partial<Form>) => void;
}

function Settings({ apiKey, onKey, form, change, off }: Changing & { apiKey: string; onKey: (key: string) => void; off: boolean }) {
  const set = (name: string, value: string) => change({ values: { ...form.values, [name]: value } });
  return (
    <section class="panel pad stack" aria-label="Key, model and parameters">
      <TextField label="API key" type="password" value={apiKey} onInput={onKey} placeholder="sk-weir-…" hint="It stays in the memory of this page, and is forgotten when you leave it." />
      <ModelField apiKey={apiKey} model={form.model} onChange={(model) => change({ model })} />
      {off ? (
        <span class="muted small">The JSON says the rest.</span>
      ) : (
        <>
          <div class="pair">
            {parameters.map(({ name, label }) => (
              <TextField key={name} label={label} value={form.values[name] ?? ""} onInput={(value) => set(name, value)} wrong={wrong(name, form.values[name] ?? "")} placeholder="default" {...(name === "reasoning_effort" && { list: ["none", "low", "medium", "high"] })} />
            ))}
          </div>
          <Check label="Stream the answer" checked={form.stream} onChange={(stream) => change({ stream })} />
        </>
      )}
    </section>
  );
}

/** The models that the key may use; all, as long as the key is not known. */
function ModelField({ apiKey, model, onChange }: { apiKey: string; model: string; onChange: (model: string) => void }) {
  const { models } = useKnown();
  const id = /^sk-weir-([A-Za-z0-9]{12})-/.exec(apiKey.trim())?.[1];
  const allowed = useCall("GET /admin/v1/models", id === undefined ? null : { query: { key: id } });
  const names = id !== undefined && allowed.data ? allowed.data.data.map((one) => one.id) : models;
  const known = id !== undefined && allowed.data !== null;
  const hint = known ? "Those that this key may use." : "";
  const isNone = known && !names.includes(model) && !names.some((name) => name.endsWith("*") && model.startsWith(name.slice(0, -1)));
  const fault = isNone ? "This key may not use it." : null;
  if (names.some((name) => name.endsWith("*"))) return <TextField label="Model" value={model} onInput={onChange} list={names.filter((name) => !name.endsWith("*"))} hint={hint} wrong={fault} />;
  const options = (names.includes(model) ? names : [model, ...names]).map((name) => ({ value: name, label: name }));
  return <Select label="Model" value={model} options={options} onChange={onChange} hint={hint} wrong={fault} />;
}

function Messages({ form, change }: Changing) {
  const { messages } = form;
  const replace = (i: number, part: Partial<Message>) => change({ messages: messages.map((one, at) => (at === i ? { ...one, ...part } : one)) });
  return (
    <>
      <Area label="System" rows={2} value={form.system} onInput={(system) => change({ system })} placeholder="What the model is to be" />
      {messages.map((message, i) => (
        <div class="message" key={i}>
          <div class="row">
            <Select bare label={`Role of message ${i + 1}`} value={message.role} options={roles.map((role) => ({ value: role, label: role }))} onChange={(role) => replace(i, { role: role as Role })} />
            {messages.length > 1 && <button type="button" class="quiet rest" aria-label={`Remove message ${i + 1}`} onClick={() => change({ messages: messages.filter((_, at) => at !== i) })}>Remove</button>}
          </div>
          <Area bare label={`Message ${i + 1}`} rows={Math.min(16, Math.max(3, message.content.split("\n").length))} value={message.content} onInput={(content) => replace(i, { content })} />
        </div>
      ))}
      <div class="row"><button type="button" class="quiet" onClick={() => change({ messages: [...messages, { role: "user", content: "" }] })}>Add a message</button></div>
    </>
  );
}
