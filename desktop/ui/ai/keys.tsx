import { useClipboard } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { DecimalField, TextField } from "../components/field.tsx";
import { Panel } from "../components/panel.tsx";
import { Tag } from "../components/tag.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import {
	type AccountLimits,
	numberOrNull,
	SetLimits,
} from "./account-limits.tsx";
import { formatDollars } from "./dollars.ts";

interface ApiKey extends AccountLimits {
	hint: string;
	spent: number;
	reserved: number;
	lastUsedAt: string | null;
	revokedAt: string | null;
}

const nothing = { name: "", monthlyBudget: "", requestsPerMinute: "" };

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
	const [typed, setTyped] = useState(nothing);
	const field = (name: keyof typeof nothing) => ({
		value: typed[name],
		onChange: (value: string) => setTyped({ ...typed, [name]: value }),
	});

	async function create(event: FormEvent): Promise<void> {
		event.preventDefault();
		await attempt(async () => {
			const { key } = await ask<{ key: string }>("POST", "/api/keys", {
				name: typed.name,
				monthlyBudget: numberOrNull(typed.monthlyBudget),
				requestsPerMinute: numberOrNull(typed.requestsPerMinute),
			});
			setMade(key);
			setTyped(nothing);
			await queries.invalidateQueries({ queryKey: ["keys"] });
		});
	}

	async function revoke(id: string): Promise<void> {
		await attempt(() => ask("DELETE", `/api/keys/${id}`));
		await queries.invalidateQueries({ queryKey: ["keys"] });
	}

	return (
		<Panel title={say("ai.keys")}>
			<p className="text-s muted">
				{say("ai.lead", { address: `${location.origin}/v1` })}
			</p>
			{problem}
			{made && <NewKey value={made} onClose={() => setMade(undefined)} />}
			{data?.keys.length === 0 && <p className="muted">{say("ai.noKeys")}</p>}
			<div>
				{data?.keys.map((key) => (
					<KeyRow key={key.id} of={key} onRevoke={() => revoke(key.id)} />
				))}
			</div>
			<form className="column-flex" onSubmit={create}>
				<div className="panel-fields">
					<TextField
						{...field("name")}
						label={say("ai.keyName")}
						required
						maxLength={100}
					/>
					<DecimalField {...field("monthlyBudget")} label={say("ai.budget")} />
					<DecimalField
						{...field("requestsPerMinute")}
						label={say("ai.rate")}
					/>
				</div>
				<div>
					<Button type="submit" isBusy={isBusy}>
						{say("ai.makeKey")}
					</Button>
				</div>
			</form>
		</Panel>
	);
}

/** A key just made, which nobody can read again. */
function NewKey({ value, onClose }: { value: string; onClose(): void }) {
	const { say } = useWords();
	const clipboard = useClipboard();
	return (
		<div className="ai-key" role="status">
			<b>{say("ai.keyMade")}</b>
			<code>{value}</code>
			<Button size="s" onClick={() => clipboard.copy(value)}>
				{say(clipboard.copied ? "ai.copied" : "ai.copy")}
			</Button>
			<IconButton label={say("app.close")} onClick={onClose}>
				<X size={20} aria-hidden />
			</IconButton>
		</div>
	);
}

function KeyRow({ of: key, onRevoke }: { of: ApiKey; onRevoke(): void }) {
	const { say, language } = useWords();
	const format = useFormat();
	const usd = (amount: number) => formatDollars(amount, language);
	return (
		<div className="panel-row">
			<div className="grow">
				<span className="row-flex">
					<b>{key.name}</b>
					<code className="muted">{key.hint}…</code>
					{key.revokedAt && <Tag>{say("ai.revoked")}</Tag>}
				</span>
				<span className="text-s muted">
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
				</span>
			</div>
			{!key.revokedAt && (
				<span className="row-flex">
					<SetLimits of={key} rateLabel="ai.rate" />
					<ConfirmButton
						label={say("ai.revoke")}
						name={`${say("ai.revoke")}: ${key.name}`}
						question={say("ai.revokeSure")}
						onConfirm={onRevoke}
					/>
				</span>
			)}
		</div>
	);
}
