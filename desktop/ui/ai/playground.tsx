import { Button, Group, Select, Text, Textarea } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Panel } from "../components/panel.tsx";
import { useWords } from "../words/index.ts";
import { type AnswerInfo, complete } from "./completion.ts";

interface Model {
	id: string;
	available: boolean;
}

const auto = "gateway/auto";

/** Sends a question to a model and streams the answer. */
export function Playground() {
	const { say } = useWords();
	const { attempt, problem, isBusy } = useAttempt();
	const [model, setModel] = useState(auto);
	const [prompt, setPrompt] = useState("");
	const [answer, setAnswer] = useState("");
	const [told, setTold] = useState<AnswerInfo>();
	const queries = useQueryClient();
	const abort = useRef<AbortController>(undefined);
	const { data } = useQuery({
		queryKey: ["models"],
		queryFn: () => ask<{ data: Model[] }>("GET", "/v1/models"),
	});
	// Don't pay for an answer that nobody reads.
	useEffect(() => () => abort.current?.abort(), []);

	async function send(): Promise<void> {
		const asking = new AbortController();
		abort.current = asking;
		const { signal } = asking;
		setAnswer("");
		setTold(undefined);
		await attempt(async () => {
			try {
				await complete(model, prompt, {
					signal,
					onInfo: setTold,
					onText: (words) => setAnswer((before) => before + words),
				});
			} catch (error) {
				if (!signal.aborted) throw error;
			} finally {
				await queries.invalidateQueries({ queryKey: ["usage"] });
			}
		});
	}

	return (
		<Panel title={say("ai.playground")}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void send();
				}}
			>
				<Select
					label={say("ai.model")}
					data={[
						auto,
						...(data?.data ?? [])
							.filter(({ available }) => available)
							.map(({ id }) => id),
					]}
					value={model}
					onChange={(value) => setModel(value ?? auto)}
					allowDeselect={false}
					searchable
					maw={420}
				/>
				<Textarea
					label={say("ai.prompt")}
					value={prompt}
					onChange={(event) => setPrompt(event.currentTarget.value)}
					autosize
					minRows={2}
					maxRows={10}
					required
					mt="xs"
				/>
				<Group mt="sm">
					<Button
						type="submit"
						loading={isBusy}
						disabled={prompt.trim() === ""}
					>
						{say("ai.ask")}
					</Button>
					{isBusy && (
						<Button variant="default" onClick={() => abort.current?.abort()}>
							{say("ai.stop")}
						</Button>
					)}
				</Group>
			</form>
			<div aria-live="polite">
				{problem}
				{answer !== "" && (
					<Text mt="md" style={{ whiteSpace: "pre-wrap" }}>
						{answer}
					</Text>
				)}
			</div>
			{told && (
				<Text size="xs" c="dimmed" mt="xs">
					{told.model} · {told.route}
				</Text>
			)}
		</Panel>
	);
}
