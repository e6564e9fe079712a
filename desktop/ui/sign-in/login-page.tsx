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
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { useTill } from "../shop/till.ts";
import { useWords } from "../words/index.ts";

/** The sign-in form: as a page, or over the page of a shop whose session has ended. */
export function Login({
	onDone,
	onClose,
	isShopless = false,
}: {
	onDone(): Promise<void>;
	/** Given if the form opens over a page, which keeps working without a sign-in. */
	onClose?: () => void;
	/** The signed-in account has no shop. */
	isShopless?: boolean;
}) {
	const { say } = useWords();
	const form = <LoginForm onDone={onDone} isOver={onClose !== undefined} />;
	if (onClose)
		return (
			<Modal opened onClose={onClose} title={say("login.title")}>
				{form}
			</Modal>
		);
	return (
		<Center component="main" mih="100%" p="md">
			<Paper w="100%" maw={400} p="lg" withBorder>
				<Title order={1} size="h2" mb="md">
					{say("login.title")}
				</Title>
				{isShopless && (
					<Alert color="yellow" mb="md" role="alert">
						{say("login.noShop")}
					</Alert>
				)}
				{form}
			</Paper>
		</Center>
	);
}

function LoginForm({
	onDone,
	isOver,
}: {
	onDone(): Promise<void>;
	isOver: boolean;
}) {
	const { say } = useWords();
	const [, navigate] = useLocation();
	const { attempt, problem, isBusy } = useAttempt();
	const form = useForm({
		mode: "uncontrolled",
		initialValues: { email: "", password: "" },
	});
	const setup = useQuery({
		queryKey: ["setup"],
		queryFn: () => ask<{ isEmpty: boolean }>("GET", "/api/setup"),
		enabled: !isOver,
	});
	const isEmpty = setup.data?.isEmpty === true;
	useEffect(() => {
		if (isEmpty) navigate("/setup");
	}, [isEmpty, navigate]);
	const till = useTill();
	const isJoining = till?.mode === "joining" && !isOver;
	useEffect(() => {
		if (isJoining) navigate("/join");
	}, [isJoining, navigate]);

	async function signIn(fields: typeof form.values): Promise<void> {
		await attempt(async () => {
			await ask("POST", "/login", fields);
			await onDone();
			if (!isOver) navigate("/");
		});
	}

	return (
		<form onSubmit={form.onSubmit(signIn)}>
			<Stack>
				{problem}
				<TextInput
					{...form.getInputProps("email")}
					key={form.key("email")}
					name="email"
					type="email"
					label={say("login.email")}
					autoComplete="username"
					required
					data-autofocus
					size="md"
				/>
				<PasswordInput
					{...form.getInputProps("password")}
					key={form.key("password")}
					name="password"
					label={say("login.password")}
					autoComplete="current-password"
					required
					size="md"
				/>
				<Button type="submit" size="md" loading={isBusy}>
					{say("login.submit")}
				</Button>
				{!isOver && !till && (
					<Anchor href="/setup" ta="center">
						{say("login.create")}
					</Anchor>
				)}
			</Stack>
		</form>
	);
}
