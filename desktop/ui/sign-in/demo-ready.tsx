import { ask } from "../api.ts";
import { Button } from "../components/button.tsx";
import { useWords } from "../words/index.ts";

export interface Demo {
	user: { email: string };
	password: string;
}

/** A small computer takes a minute for half a year of sales, and goes on when nobody waits for their password any more. */
const makingMs = 600_000;

/** @throws ApiError */
export function makeDemo(setupCode?: string): Promise<Demo> {
	const options = { timeoutMs: makingMs, headers: {} };
	return ask("POST", "/api/setup/demo", { setupCode }, options);
}

/** The demo shop's account, whose password is shown only here, and the way in. */
export function DemoReady({
	demo: { user, password },
	isBusy,
	onEnter,
}: {
	demo: Demo;
	isBusy: boolean;
	onEnter(): void;
}) {
	const { say } = useWords();
	return (
		<>
			<dl className="demo-account">
				<dt>{say("login.email")}</dt>
				<dd>{user.email}</dd>
				<dt>{say("login.password")}</dt>
				<dd>{password}</dd>
			</dl>
			<Button kind="ink" size="l" isBusy={isBusy} onClick={onEnter}>
				{say("setup.demo")}
			</Button>
		</>
	);
}
