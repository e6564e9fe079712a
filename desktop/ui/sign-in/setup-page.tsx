import {
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
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { useTill } from "../shop/till.ts";
import { useWords } from "../words/index.ts";

interface Demo {
	user: { email: string };
	password: string;
}

/** Creates a shop; on an empty server it may be a demo shop. */
export default function Setup({ onDone }: { onDone(): Promise<void> }) {
	const { say } = useWords();
	const [, navigate] = useLocation();
	const { attempt, problem, isBusy } = useAttempt();
	const [demo, setDemo] = useState<Demo>();
	const form = useForm({
		mode: "uncontrolled",
		initialValues: {
			name: "",
			email: "",
			password: "",
			businessName: "",
			currency: currencyOf(ownTimeZone()),
			timeZone: ownTimeZone(),
			// A link from the server's terminal carries the code in its fragment, which no server or log sees.
			setupCode: location.hash.slice(1),
		},
	});
	const field = (name: keyof typeof form.values) => ({
		...form.getInputProps(name),
		key: form.key(name),
		name,
	});
	const { data } = useQuery({
		queryKey: ["setup"],
		queryFn: () =>
			ask<{ isEmpty: boolean; needsCode: boolean }>("GET", "/api/setup"),
	});
	const isEmpty = data?.isEmpty === true;
	const needsCode = data?.needsCode === true;
	const till = useTill();
	const queries = useQueryClient();

	async function enter(): Promise<void> {
		// The server is no longer empty: a sign-out must not lead back here.
		queries.removeQueries({ queryKey: ["setup"] });
		void queries.invalidateQueries({ queryKey: ["till"] });
		await onDone();
		navigate("/");
	}

	async function open(fields: typeof form.values): Promise<void> {
		await attempt(async () => {
			if (isEmpty) await ask("POST", "/api/setup", fields);
			else {
				await ask("POST", "/api/auth/register", fields);
				await ask("POST", "/login", fields);
			}
			await enter();
		});
	}

	async function openDemo(): Promise<void> {
		await attempt(async () => {
			const { setupCode } = form.getValues();
			setDemo(await ask<Demo>("POST", "/api/setup/demo", { setupCode }));
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
						<Button size="md" loading={isBusy} onClick={() => attempt(enter)}>
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
				<form onSubmit={form.onSubmit(open)}>
					<Stack gap="sm">
						{problem}
						{needsCode && (
							<TextInput
								{...field("setupCode")}
								label={say("setup.code")}
								description={say("setup.codeLead")}
								autoComplete="off"
								autoCapitalize="characters"
								required
							/>
						)}
						<TextInput
							{...field("name")}
							label={say("setup.name")}
							autoComplete="name"
							required
						/>
						<TextInput
							{...field("email")}
							type="email"
							label={say("login.email")}
							autoComplete="username"
							required
						/>
						<PasswordInput
							{...field("password")}
							label={say("login.password")}
							autoComplete="new-password"
							minLength={8}
							required
						/>
						<TextInput
							{...field("businessName")}
							label={say("setup.shop")}
							required
						/>
						<Select
							{...field("currency")}
							label={say("setup.currency")}
							data={currencies()}
							allowDeselect={false}
							searchable
						/>
						<Select
							{...field("timeZone")}
							label={say("setup.timeZone")}
							data={timeZones()}
							allowDeselect={false}
							searchable
						/>
						<Button type="submit" size="md" loading={isBusy}>
							{say("setup.submit")}
						</Button>
						{isEmpty && till && (
							<Button component={Link} href="/join" variant="default" size="md">
								{say("join.title")}
							</Button>
						)}
						{isEmpty && (
							<>
								<Divider />
								<Button
									variant="default"
									size="md"
									loading={isBusy}
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

/** A first guess, for the time zones where most shops are. */
function currencyOf(timeZone: string): string {
	const guesses: Record<string, string> = {
		"Africa/Dar_es_Salaam": "TZS",
		"Africa/Kampala": "UGX",
		"Africa/Kigali": "RWF",
	};
	return guesses[timeZone] ?? (timeZone.startsWith("Europe/") ? "EUR" : "KES");
}
