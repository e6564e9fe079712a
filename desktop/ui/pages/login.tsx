import {
	Alert,
	Anchor,
	Button,
	Center,
	Modal,
	Paper,
	PasswordInput,
	Stack,
	TextInput,
	Title,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { ask } from "../api.ts";
import { useWords } from "../words/index.ts";

/** Signs in: as a page, or over the page of one whose session has ended. */
export function Login({
	onDone,
	isExpired = false,
}: {
	onDone(): Promise<void>;
	isExpired?: boolean;
}) {
	const { say } = useWords();
	const form = <LoginForm onDone={onDone} isExpired={isExpired} />;
	if (isExpired)
		return (
			<Modal
				opened
				onClose={() => {}}
				withCloseButton={false}
				title={say("login.title")}
			>
				{form}
			</Modal>
		);
	return (
		<Center component="main" mih="100%" p="md">
			<Paper w="100%" maw={400} p="lg" withBorder>
				<Title order={1} size="h2" mb="md">
					{say("login.title")}
				</Title>
				{form}
			</Paper>
		</Center>
	);
}

function LoginForm({
	onDone,
	isExpired,
}: {
	onDone(): Promise<void>;
	isExpired: boolean;
}) {
	const { say } = useWords();
	const [, navigate] = useLocation();
	const [problem, setProblem] = useState<string>();
	const [isBusy, setBusy] = useState(false);
	const setup = useQuery({
		queryKey: ["setup"],
		queryFn: () => ask<{ isEmpty: boolean }>("GET", "/api/setup"),
		enabled: !isExpired,
	});
	const isEmpty = setup.data?.isEmpty === true;
	useEffect(() => {
		if (isEmpty) navigate("/setup");
	}, [isEmpty, navigate]);

	async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
		event.preventDefault();
		const fields = Object.fromEntries(new FormData(event.currentTarget));
		setBusy(true);
		setProblem(undefined);
		try {
			await ask("POST", "/login", fields);
			await onDone();
			if (!isExpired) navigate("/");
		} catch (error) {
			setProblem((error as Error).message);
		} finally {
			setBusy(false);
		}
	}

	return (
		<form onSubmit={submit}>
			<Stack>
				{isExpired && <Alert color="yellow">{say("login.expired")}</Alert>}
				{problem && (
					<Alert color="red" role="alert">
						{problem}
					</Alert>
				)}
				<TextInput
					name="email"
					type="email"
					label={say("login.email")}
					autoComplete="username"
					required
					data-autofocus
					size="md"
				/>
				<PasswordInput
					name="password"
					label={say("login.password")}
					autoComplete="current-password"
					required
					size="md"
				/>
				<Button type="submit" size="md" loading={isBusy}>
					{say("login.submit")}
				</Button>
				{!isExpired && (
					<Anchor href="/setup" ta="center">
						{say("login.create")}
					</Anchor>
				)}
			</Stack>
		</form>
	);
}
