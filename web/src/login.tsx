// The way in: the admin token opens a session of an hour.
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "./api";
import { asError } from "./data";
import { signIn } from "./session";
import { Mark } from "./shell";
import { TextField } from "./ui/forms";

/** After it the page is loaded anew, with its filters. So a tab that was open while Weir was updated, which ended its session, runs what the new version serves. */
export function Login() {
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    document.title = "Sign in · Weir";
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    signIn(token.trim())
      .then(() => location.reload(), (reason: unknown) => {
        setError(asError(reason));
        setBusy(false);
      });
  };
  return (
    <main class="login">
      <h1 class="row"><Mark />Weir</h1>
      <form onSubmit={submit}>
        <TextField label="Admin token" type="password" value={token} onInput={setToken} required autofocus wrong={error?.message ?? null} hint="It is admin.token in the config, else in the file admin.token of the data folder." />
        <div class="row"><button class="primary" disabled={busy || token.trim() === ""}>Sign in</button></div>
      </form>
    </main>
  );
}
