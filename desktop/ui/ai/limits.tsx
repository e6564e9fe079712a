import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type Role, roles } from "../../../sync/entities/entity.ts";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Busy } from "../components/busy.tsx";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { DecimalField } from "../components/field.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { Toggle } from "../components/toggle.tsx";
import { useWords } from "../words/index.ts";
import {
	type AccountLimits,
	numberOrNull,
	SetLimits,
} from "./account-limits.tsx";
import { formatDollars } from "./dollars.ts";

interface Limits {
	allowed: boolean;
	ceiling: number | null;
	monthlyBudget: number;
	requestsPerMinute: number;
	leastRole: Role;
	keepsResponses: boolean;
	spent: number;
	businessSpent: number;
	businessRequestsPerMinute: number | null;
	members: (AccountLimits & { role: Role; spent: number })[];
}

export const limitsPath = "/api/ai/limits";
export const limitsKey = ["aiLimits"];

/** Who may use AI in the app, and how much. */
export function AppLimits() {
	const { say, language } = useWords();
	const { data, error, isPending } = useQuery({
		queryKey: limitsKey,
		queryFn: () => ask<Limits>("GET", limitsPath),
	});
	const usd = (amount: number) => formatDollars(amount, language);
	return (
		<Panel title={say("ai.limits")}>
			{isPending && <Busy />}
			<LoadError error={error} />
			{data?.allowed === false && (
				<p className="attention" role="status">
					{say("ai.notAllowed")}
				</p>
			)}
			{data && (
				<>
					<p className="text-s muted">
						{say("ai.spentOf", {
							amount: usd(data.spent),
							budget: usd(data.monthlyBudget),
						})}
						{data.ceiling !== null &&
							` · ${say("ai.ceiling", {
								amount: usd(data.businessSpent),
								budget: usd(data.ceiling),
							})}`}
						{data.businessRequestsPerMinute !== null &&
							` · ${say("ai.rateIs", { rate: data.businessRequestsPerMinute })}`}
					</p>
					<LimitsForm of={data} />
					<h3>{say("ai.limitsEach")}</h3>
					<div>
						{data.members.map((member) => (
							<MemberRow key={member.id} of={member} />
						))}
					</div>
				</>
			)}
		</Panel>
	);
}

function MemberRow({ of: member }: { of: Limits["members"][number] }) {
	const { say, language } = useWords();
	const { name, spent, monthlyBudget, requestsPerMinute } = member;
	const amount = formatDollars(spent, language);
	return (
		<div className="panel-row">
			<div className="grow">
				<b>{name}</b>
				<div className="text-s muted">
					{monthlyBudget === null
						? say("ai.spent", { amount })
						: say("ai.spentOf", {
								amount,
								budget: formatDollars(monthlyBudget, language),
							})}
					{requestsPerMinute !== null &&
						` · ${say("ai.rateIs", { rate: requestsPerMinute })}`}
				</div>
			</div>
			<SetLimits of={member} rateLabel="ai.rateOrAll" />
		</div>
	);
}

function LimitsForm({ of: limits }: { of: Limits }) {
	const { say } = useWords();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const [isSaved, setSaved] = useState(false);
	const [typed, setTyped] = useState({
		monthlyBudget: String(limits.monthlyBudget),
		requestsPerMinute: String(limits.requestsPerMinute),
		leastRole: limits.leastRole as string,
	});
	const [keepsResponses, setKeepsResponses] = useState(limits.keepsResponses);
	const field = (name: keyof typeof typed) => ({
		value: typed[name],
		onChange(value: string) {
			setSaved(false);
			setTyped({ ...typed, [name]: value });
		},
		required: true,
	});

	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		setSaved(
			await attempt(async () =>
				queries.setQueryData(
					limitsKey,
					await ask<Limits>("PATCH", limitsPath, {
						monthlyBudget: numberOrNull(typed.monthlyBudget),
						requestsPerMinute: numberOrNull(typed.requestsPerMinute),
						leastRole: typed.leastRole,
						keepsResponses,
					}),
				),
			),
		);
	}

	return (
		<form className="column-flex" onSubmit={save}>
			{problem}
			<div className="panel-fields">
				<DecimalField {...field("monthlyBudget")} label={say("ai.appBudget")} />
				<DecimalField
					{...field("requestsPerMinute")}
					label={say("ai.memberRate")}
				/>
			</div>
			<div className="field ai-choice">
				<span aria-hidden>{say("ai.whoMay")}</span>
				<Chips
					label={say("ai.whoMay")}
					choices={roles.map((value) => ({
						value,
						label: say(`ai.whoMay.${value}`),
					}))}
					value={typed.leastRole}
					onChange={field("leastRole").onChange}
				/>
			</div>
			<Toggle
				label={say("ai.keepsResponses")}
				note={say("ai.keepsResponsesNote")}
				checked={keepsResponses}
				onChange={(isOn) => {
					setSaved(false);
					setKeepsResponses(isOn);
				}}
			/>
			<div className="row-flex">
				<Button type="submit" isBusy={isBusy}>
					{say("app.save")}
				</Button>
				{isSaved && <span role="status">{say("products.saved")}</span>}
			</div>
		</form>
	);
}
