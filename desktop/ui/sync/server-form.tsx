import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
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
	const form = useForm<Credentials>({
		initialValues: { server: "", email: "", password: "" },
	});

	async function send(given: Credentials): Promise<void> {
		const isDone = await attempt(() =>
			ask("POST", path, given, { timeoutMs: 60_000 }),
		);
		if (isDone) onDone(given);
	}

	return (
		<form onSubmit={form.onSubmit(send)}>
			<Stack gap="sm">
				{problem}
				<TextInput
					{...form.getInputProps("server")}
					label={say("join.server")}
					placeholder="https://"
					inputMode="url"
					autoCapitalize="none"
					required
				/>
				<TextInput
					{...form.getInputProps("email")}
					type="email"
					label={say("login.email")}
					autoComplete="username"
					required
				/>
				<PasswordInput
					{...form.getInputProps("password")}
					label={say("login.password")}
					autoComplete="current-password"
					required
				/>
				<Button type="submit" size="md" loading={isBusy}>
					{submit}
				</Button>
			</Stack>
		</form>
	);
}
