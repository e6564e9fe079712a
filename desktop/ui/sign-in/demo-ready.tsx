import { Button } from "../components/button.tsx";
import { useWords } from "../words/index.ts";

export interface Demo {
	user: { email: string };
	password: string;
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
