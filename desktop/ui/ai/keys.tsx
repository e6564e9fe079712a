import {
	Alert,
	Badge,
	Button,
	Code,
	CopyButton,
	Group,
	NumberInput,
	Stack,
	Text,
	TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { Panel } from "../components/panel.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { formatDollars } from "./dollars.ts";

interface ApiKey {
	id: string;
	name: string;
	hint: string;
	monthlyBudget: number | null;
	requestsPerMinute: number | null;
	spent: number;
	reserved: number;
	lastUsedAt: string | null;
	revokedAt: string | null;
}

const numberOrNull = (value: number | string) =>
	value === "" ? null : Number(value);

/** The keys that programs call the gateway with: created, shown once, revoked. */
export function ApiKeys() {
	const { say } = useWords();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const [made, setMade] = useState<string>();
	const { data } = useQuery({
		queryKey: ["keys"],
		queryFn: () => ask<{ keys: ApiKey[] }>("GET", "/api/keys"),
	});
	const form = useForm({
		initialValues: {
			name: "",
			monthlyBudget: "" as number | string,
			requestsPerMinute: "" as number | string,
		},
	});

	async function create(fields: typeof form.values): Promise<void> {
		await attempt(async () => {
			const { key } = await ask<{ key: string }>("POST", "/api/keys", {
				name: fields.name,
				monthlyBudget: numberOrNull(fields.monthlyBudget),
				requestsPerMinute: numberOrNull(fields.requestsPerMinute),
			});
			setMade(key);
			form.reset();
			await queries.invalidateQueries({ queryKey: ["keys"] });
		});
	}

	async function revoke(id: string): Promise<void> {
		await attempt(() => ask("DELETE", `/api/keys/${id}`));
		await queries.invalidateQueries({ queryKey: ["keys"] });
	}

	return (
		<Panel title={say("ai.keys")}>
			{problem}
			{made && (
				<Alert
					color="leaf"
					mb="sm"
					title={say("ai.keyMade")}
					withCloseButton
					closeButtonLabel={say("app.close")}
					onClose={() => setMade(undefined)}
				>
					<Group>
						<Code style={{ overflowWrap: "anywhere" }}>{made}</Code>
						<CopyButton value={made}>
							{({ copied, copy }) => (
								<Button size="xs" variant="default" onClick={copy}>
									{say(copied ? "ai.copied" : "ai.copy")}
								</Button>
							)}
						</CopyButton>
					</Group>
				</Alert>
			)}
			{data?.keys.length === 0 && <Text c="dimmed">{say("ai.noKeys")}</Text>}
			<Stack gap="xs">
				{data?.keys.map((key) => (
					<KeyRow key={key.id} of={key} onRevoke={() => revoke(key.id)} />
				))}
			</Stack>
			<form onSubmit={form.onSubmit(create)}>
				<Group align="flex-end" mt="md">
					<TextInput
						{...form.getInputProps("name")}
						label={say("ai.keyName")}
						required
						maxLength={100}
					/>
					<NumberInput
						{...form.getInputProps("monthlyBudget")}
						label={say("ai.budget")}
						min={0}
						decimalScale={6}
					/>
					<NumberInput
						{...form.getInputProps("requestsPerMinute")}
						label={say("ai.rate")}
						min={1}
						allowDecimal={false}
					/>
					<Button type="submit" loading={isBusy}>
						{say("ai.makeKey")}
					</Button>
				</Group>
			</form>
		</Panel>
	);
}

function KeyRow({ of: key, onRevoke }: { of: ApiKey; onRevoke(): void }) {
	const { say, language } = useWords();
	const format = useFormat();
	const usd = (amount: number) => formatDollars(amount, language);
	return (
		<Group justify="space-between" wrap="nowrap">
			<div>
				<Text>
					{key.name} <Code>{key.hint}…</Code>{" "}
					{key.revokedAt && (
						<Badge color="gray" variant="light" tt="none">
							{say("ai.revoked")}
						</Badge>
					)}
				</Text>
				<Text size="sm" c="dimmed">
					{key.monthlyBudget === null
						? say("ai.spent", { amount: usd(key.spent) })
						: say("ai.spentOf", {
								amount: usd(key.spent),
								budget: usd(key.monthlyBudget),
							})}
					{" · "}
					{key.lastUsedAt
						? say("settings.lastSeen", { when: format.moment(key.lastUsedAt) })
						: say("ai.neverUsed")}
				</Text>
			</div>
			{!key.revokedAt && (
				<ConfirmButton
					variant="default"
					flex="none"
					label={say("ai.revoke")}
					name={`${say("ai.revoke")}: ${key.name}`}
					question={say("ai.revokeSure")}
					onConfirm={onRevoke}
				/>
			)}
		</Group>
	);
}
