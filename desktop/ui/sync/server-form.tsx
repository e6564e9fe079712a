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

/** Where a shop's server is and who asks it: to join it, or to bring it the shop that is here. */
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
