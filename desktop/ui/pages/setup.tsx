import {
	Alert,
	Anchor,
	Button,
	Center,
	Code,
	Divider,
	Paper,
	PasswordInput,
	Select,
	Stack,
	Text,
	TextInput,
	Title,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { ask } from "../api.ts";
import { useWords } from "../words/index.ts";

interface Demo {
	user: { email: string };
	password: string;
}

/** Opens a shop: on an empty server the first one, which may also be a demo; on any other one more. */
export default function Setup({ onDone }: { onDone(): Promise<void> }) {
	const { say } = useWords();
	const [, navigate] = useLocation();
	const [problem, setProblem] = useState<string>();
	const [busy, setBusy] = useState<"form" | "demo">();
	const [demo, setDemo] = useState<Demo>();
	const { data } = useQuery({
		queryKey: ["setup"],
		queryFn: () => ask<{ isEmpty: boolean }>("GET", "/api/setup"),
	});
	const isEmpty = data?.isEmpty === true;

	async function work(make: () => Promise<unknown>): Promise<void> {
		setBusy("form");
		setProblem(undefined);
		try {
			await make();
			await onDone();
			navigate("/");
		} catch (error) {
			setProblem((error as Error).message);
		} finally {
			setBusy(undefined);
		}
	}

	async function openDemo(): Promise<void> {
		setBusy("demo");
		try {
			setDemo(await ask<Demo>("POST", "/api/setup/demo", {}));
		} catch (error) {
			setProblem((error as Error).message);
		}
		setBusy(undefined);
	}

	async function open(event: FormEvent<HTMLFormElement>): Promise<void> {
		event.preventDefault();
		const fields = Object.fromEntries(new FormData(event.currentTarget));
		await work(async () => {
			if (isEmpty) return ask("POST", "/api/setup", fields);
			await ask("POST", "/api/auth/register", fields);
			return ask("POST", "/login", fields);
		});
	}

	if (demo)
		return (
			<Center component="main" mih="100%" p="md">
				<Paper w="100%" maw={440} p="lg" withBorder>
					<Stack>
						<Title order={1} size="h2">
							{say("setup.demoReady")}
						</Title>
						<Text>{say("setup.demoPassword")}</Text>
						<Code block>
							{demo.user.email}
							{"\n"}
							{demo.password}
						</Code>
						<Button size="md" onClick={() => work(async () => {})}>
							{say("setup.demo")}
						</Button>
					</Stack>
				</Paper>
			</Center>
		);
	return (
		<Center component="main" mih="100%" p="md">
			<Paper w="100%" maw={440} p="lg" withBorder>
				<Title order={1} size="h2">
					{say("setup.title")}
				</Title>
				<Text c="dimmed" mb="md">
					{say("setup.lead")}
				</Text>
				<form onSubmit={open}>
					<Stack gap="sm">
						{problem && (
							<Alert color="red" role="alert">
								{problem}
							</Alert>
						)}
						<TextInput
							name="name"
							label={say("setup.name")}
							autoComplete="name"
							required
						/>
						<TextInput
							name="email"
							type="email"
							label={say("login.email")}
							autoComplete="username"
							required
						/>
						<PasswordInput
							name="password"
							label={say("login.password")}
							autoComplete="new-password"
							minLength={8}
							required
						/>
						<TextInput name="businessName" label={say("setup.shop")} required />
						<Select
							name="currency"
							label={say("setup.currency")}
							data={currencies()}
							defaultValue={currencyOf(ownTimeZone())}
							allowDeselect={false}
							searchable
						/>
						<Select
							name="timeZone"
							label={say("setup.timeZone")}
							data={timeZones()}
							defaultValue={ownTimeZone()}
							allowDeselect={false}
							searchable
						/>
						<Button type="submit" size="md" loading={busy === "form"}>
							{say("setup.submit")}
						</Button>
						{isEmpty && (
							<>
								<Divider />
								<Button
									variant="default"
									size="md"
									loading={busy === "demo"}
									onClick={openDemo}
								>
									{say("setup.demo")}
								</Button>
								<Text size="sm" c="dimmed" ta="center">
									{say("setup.demoLead")}
								</Text>
							</>
						)}
						{!isEmpty && (
							<Anchor href="/" ta="center">
								{say("setup.signIn")}
							</Anchor>
						)}
					</Stack>
				</form>
			</Paper>
		</Center>
	);
}

function ownTimeZone(): string {
	return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function timeZones(): string[] {
	return [...new Set([ownTimeZone(), ...Intl.supportedValuesOf("timeZone")])];
}

function currencies(): string[] {
	return Intl.supportedValuesOf("currency");
}

/** A first guess, for the zones where most of our shops are. */
function currencyOf(timeZone: string): string {
	const guesses: Record<string, string> = {
		"Africa/Dar_es_Salaam": "TZS",
		"Africa/Kampala": "UGX",
		"Africa/Kigali": "RWF",
	};
	return guesses[timeZone] ?? (timeZone.startsWith("Europe/") ? "EUR" : "KES");
}
