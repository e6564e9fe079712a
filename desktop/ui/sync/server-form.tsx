import { type FormEvent, useState } from "react";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { PasswordField } from "../components/password-field.tsx";
import { useWords } from "../words/index.ts";

export interface Credentials {
	server: string;
	email: string;
	password: string;
}

/** Asks for a server's address and an account there: to join its shop, or to move this shop to it. */
export function ServerForm({
	path,
	submit,
	onDone,
}: {
	path: "/api/till/join" | "/api/till/connect";
	submit: string;
	onDone(given: Credentials): void;
}) {
	const { say } = useWords();
	const { attempt, problem, isBusy } = useAttempt();
	const [given, setGiven] = useState<Credentials>({
		server: "",
		email: "",
		password: "",
	});
	const field = (name: keyof Credentials) => ({
		name,
		value: given[name],
		onChange: (value: string) => setGiven({ ...given, [name]: value }),
	});

	async function send(event: FormEvent): Promise<void> {
		event.preventDefault();
		const isDone = await attempt(() =>
			ask("POST", path, given, { timeoutMs: 60_000 }),
		);
		if (isDone) onDone(given);
	}

	return (
		<form className="column-flex" onSubmit={send}>
			{problem}
			<TextField
				{...field("server")}
				label={say("join.server")}
				placeholder="https://"
				inputMode="url"
				autoCapitalize="none"
				required
			/>
			<TextField
				{...field("email")}
				type="email"
				label={say("login.email")}
				autoComplete="username"
				required
			/>
			<PasswordField
				{...field("password")}
				label={say("login.password")}
				autoComplete="current-password"
				required
			/>
			<Button type="submit" kind="ink" isBusy={isBusy}>
				{submit}
			</Button>
		</form>
	);
}
