import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Panel } from "../components/panel.tsx";
import { SelectField } from "../components/select-field.tsx";
import { TextArea } from "../components/text-area.tsx";
import { useWords } from "../words/index.ts";
import { type AnswerInfo, complete } from "./completion.ts";

interface Model {
	id: string;
	available: boolean;
	kind: string;
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
				await Promise.all(
					["usage", "aiCalls", "aiLimits"].map((name) =>
						queries.invalidateQueries({ queryKey: [name] }),
					),
				);
			}
		});
	}

	return (
		<Panel title={say("ai.playground")}>
			<form
				className="column-flex ai-question"
				onSubmit={(event) => {
					event.preventDefault();
					void send();
				}}
			>
				<TextArea
					label={say("ai.prompt")}
					placeholder={say("ai.example")}
					value={prompt}
					onChange={setPrompt}
					required
				/>
				<div className="row-flex">
					<Button
						type="submit"
						kind="ink"
						isBusy={isBusy}
						disabled={prompt.trim() === ""}
					>
						{say("ai.ask")}
					</Button>
					{isBusy && (
						<Button onClick={() => abort.current?.abort()}>
							{say("ai.stop")}
						</Button>
					)}
				</div>
				<details>
					<summary className="link text-s">{say("ai.chooseModel")}</summary>
					<SelectField
						label={say("ai.model")}
						options={[
							{ value: auto, label: say("ai.auto") },
							...(data?.data ?? [])
								.filter(
									({ id, available, kind }) =>
										available && kind === "chat" && id !== auto,
								)
								.map(({ id }) => ({ value: id, label: id })),
						]}
						value={model}
						onChange={setModel}
					/>
				</details>
			</form>
			<div aria-live="polite">
				{problem}
				{answer !== "" && <div className="ai-answer">{answer}</div>}
			</div>
			{told && (
				<p className="text-xs muted">
					{told.model} · {told.route}
				</p>
			)}
		</Panel>
	);
}
