import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api.ts";
import { Busy } from "../components/busy.tsx";
import { LoadError } from "../components/load-error.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { Panel } from "../components/panel.tsx";
import { type Option, SelectField } from "../components/select-field.tsx";
import { Tag } from "../components/tag.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { formatDollars } from "./dollars.ts";
import { useUsage } from "./usage.ts";

interface Call {
	id: string;
	at: string;
	name: string | null;
	askedModel: string;
	model: string | null;
	route: string;
	cache: "hit" | "miss" | "shared" | "off";
	status: "ok" | "failed" | "cancelled" | "interrupted";
	promptTokens: number;
	completionTokens: number;
	cost: number;
	durationMs: number;
}

interface CallPage {
	calls: Call[];
	next: string | null;
}

/** This month's calls, newest first: who made each, which model answered and why, its tokens, time and cost. */
export function Calls() {
	const { say } = useWords();
	const { data: usage } = useUsage();
	const [by, setBy] = useState("");
	const list = useInfiniteQuery({
		queryKey: ["aiCalls", by],
		queryFn: ({ pageParam }) =>
			ask<CallPage>(
				"GET",
				`/api/usage/calls?${new URLSearchParams({
					limit: "20",
					...(by && { by }),
					...(pageParam && { before: pageParam }),
				})}`,
			),
		initialPageParam: "",
		getNextPageParam: ({ next }) => next,
	});
	const calls = list.data?.pages.flatMap((page) => page.calls);
	const options: Option[] = [
		{ value: "", label: say("ai.whoAll") },
		...(usage?.askers ?? []).map(({ id, name }) => ({
			value: id,
			label: name,
		})),
	];
	return (
		<Panel title={say("ai.calls")}>
			<SelectField
				label={say("ai.who")}
				options={options}
				value={by}
				onChange={setBy}
			/>
			<LoadError error={list.error} />
			{list.isPending && <Busy />}
			{calls?.length === 0 && <p className="muted">{say("ai.noCalls")}</p>}
			<div>
				{calls?.map((call) => (
					<CallRow key={call.id} of={call} />
				))}
			</div>
			<MoreButton list={list} />
		</Panel>
	);
}

function CallRow({ of: call }: { of: Call }) {
	const { say, language } = useWords();
	const format = useFormat();
	const facts = [
		format.moment(call.at),
		say("ai.tokensOf", {
			prompt: format.quantity(call.promptTokens),
			answer: format.quantity(call.completionTokens),
		}),
		say("ai.seconds", { seconds: format.rounded(call.durationMs / 1_000) }),
		call.route,
	];
	return (
		<div className="panel-row">
			<div className="grow">
				<span className="row-flex ai-call">
					<b>{call.name ?? "–"}</b>
					<span>{call.model ?? call.askedModel}</span>
					{call.status !== "ok" && <Tag>{say(`ai.${call.status}`)}</Tag>}
					{(call.cache === "hit" || call.cache === "shared") && (
						<Tag>{say("ai.reused")}</Tag>
					)}
				</span>
				<span className="text-s muted">
					{facts.filter(Boolean).join(" · ")}
				</span>
			</div>
			<span className="amount">{formatDollars(call.cost, language)}</span>
		</div>
	);
}
