import { Alert, Button, Group, NumberInput, Select, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Role, roles } from "../../../sync/entities/entity.ts";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { useWords } from "../words/index.ts";
import { formatDollars } from "./dollars.ts";

interface Limits {
	allowed: boolean;
	ceiling: number | null;
	monthlyBudget: number;
	requestsPerMinute: number;
	leastRole: Role;
	spent: number;
	businessSpent: number;
}

const path = "/api/ai/limits";
const queryKey = ["aiLimits"];

/** Who may use AI in the app, and how much. */
export function AppLimits() {
	const { say, language } = useWords();
	const { data, error } = useQuery({
		queryKey,
		queryFn: () => ask<Limits>("GET", path),
	});
	const usd = (amount: number) => formatDollars(amount, language);
	return (
		<Panel title={say("ai.limits")}>
			<LoadError error={error} />
			{data?.allowed === false && (
				<Alert color="orange" mb="sm">
					{say("ai.notAllowed")}
				</Alert>
			)}
			{data && (
				<>
					<Text size="sm" c="dimmed" mb="sm">
						{say("ai.spentOf", {
							amount: usd(data.spent),
							budget: usd(data.monthlyBudget),
						})}
						{data.ceiling !== null &&
							` · ${say("ai.ceiling", {
								amount: usd(data.businessSpent),
								budget: usd(data.ceiling),
							})}`}
					</Text>
					<LimitsForm of={data} />
				</>
			)}
		</Panel>
	);
}

function LimitsForm({ of: limits }: { of: Limits }) {
	const { say } = useWords();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const [isSaved, setSaved] = useState(false);
	const form = useForm({
		initialValues: {
			monthlyBudget: limits.monthlyBudget as number | string,
			requestsPerMinute: limits.requestsPerMinute as number | string,
			leastRole: limits.leastRole,
		},
		onValuesChange: () => setSaved(false),
	});

	async function save(fields: typeof form.values): Promise<void> {
		setSaved(
			await attempt(async () =>
				queries.setQueryData(
					queryKey,
					await ask<Limits>("PATCH", path, {
						monthlyBudget: Number(fields.monthlyBudget),
						requestsPerMinute: Number(fields.requestsPerMinute),
						leastRole: fields.leastRole,
					}),
				),
			),
		);
	}

	return (
		<form onSubmit={form.onSubmit(save)}>
			{problem}
			<Group align="flex-end">
				<NumberInput
					{...form.getInputProps("monthlyBudget")}
					label={say("ai.appBudget")}
					required
					min={0}
					max={limits.ceiling ?? 1_000_000}
					decimalScale={6}
				/>
				<NumberInput
					{...form.getInputProps("requestsPerMinute")}
					label={say("ai.memberRate")}
					required
					min={1}
					max={100_000}
					allowDecimal={false}
				/>
				<Select
					{...form.getInputProps("leastRole")}
					label={say("ai.whoMay")}
					allowDeselect={false}
					data={roles.map((role) => ({
						value: role,
						label: say(`ai.whoMay.${role}`),
					}))}
				/>
				<Button type="submit" loading={isBusy}>
					{say("app.save")}
				</Button>
				{isSaved && <Text role="status">{say("products.saved")}</Text>}
			</Group>
		</form>
	);
}
