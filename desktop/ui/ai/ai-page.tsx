import { Stack, Text, Title } from "@mantine/core";
import { useWords } from "../words/index.ts";
import { ApiKeys } from "./keys.tsx";
import { AppLimits } from "./limits.tsx";
import { Playground } from "./playground.tsx";
import { Spend } from "./spend.tsx";

/** The AI gateway for the shop's owner: its keys, its cost, and a playground. */
export default function Ai() {
	const { say } = useWords();
	return (
		<Stack className="page" component="section">
			<Title order={1} size="h2">
				{say("app.ai")}
			</Title>
			<Text c="dimmed">
				{say("ai.lead", { address: `${location.origin}/v1` })}
			</Text>
			<Spend />
			<AppLimits />
			<ApiKeys />
			<Playground />
		</Stack>
	);
}
