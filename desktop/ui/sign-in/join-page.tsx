import {
	Anchor,
	Center,
	Loader,
	Paper,
	Stack,
	Text,
	Title,
} from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { ask } from "../api.ts";
import { useTill } from "../shop/till.ts";
import { type Credentials, ServerForm } from "../sync/server-form.tsx";
import { useWords } from "../words/index.ts";

/** Makes this computer a till of a shop's server, and shows the download's progress, also after a restart. */
export default function Join({ onDone }: { onDone(): Promise<void> }) {
	const { say } = useWords();
	const till = useTill();
	const queries = useQueryClient();
	const [, navigate] = useLocation();
	const [given, setGiven] = useState<Credentials>();
	const isJoined = till?.mode === "joined";

	// biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the whole shop is here.
	useEffect(() => {
		if (isJoined) void enter();
	}, [isJoined]);

	async function enter(): Promise<void> {
		// After a restart nobody remembers the credentials.
		if (given) await ask("POST", "/login", given);
		await onDone();
		navigate("/");
	}

	return (
		<Center component="main" mih="100%" p="md">
			<Paper w="100%" maw={440} p="lg" withBorder>
				<Title order={1} size="h2">
					{say("join.title")}
				</Title>
				{till?.mode === "joining" || given ? (
					<Stack mt="md" align="center" role="status">
						<Loader aria-label={say("app.loading")} />
						<Text>{say("join.coming", { count: till?.rows ?? 0 })}</Text>
						<Text c="dimmed" size="sm" ta="center">
							{till?.isOnline === false
								? say("join.waiting")
								: say("join.mayClose")}
						</Text>
					</Stack>
				) : (
					<>
						<Text c="dimmed" mb="md">
							{say("join.lead")}
						</Text>
						<ServerForm
							path="/api/till/join"
							submit={say("join.submit")}
							onDone={(credentials) => {
								setGiven(credentials);
								void queries.invalidateQueries({ queryKey: ["till"] });
							}}
						/>
						<Anchor
							component={Link}
							href="/setup"
							mt="md"
							display="block"
							ta="center"
						>
							{say("join.back")}
						</Anchor>
					</>
				)}
			</Paper>
		</Center>
	);
}
