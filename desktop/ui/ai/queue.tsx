import { useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Panel } from "../components/panel.tsx";
import { useWords } from "../words/index.ts";
import { limitsKey, limitsPath } from "./limits.tsx";

interface Deliveries {
	deliverTo: string[];
	deliverySecret: string | null;
	waiting: number;
}

/** How many requests wait in the queue, and where their answers may be delivered to. */
export function QueuePanel() {
	const { say } = useWords();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const [typed, setTyped] = useState("");
	const { data } = useQuery({
		queryKey: limitsKey,
		queryFn: () => ask<Deliveries>("GET", limitsPath),
	});
	if (!data) return null;
	const { deliverTo, deliverySecret, waiting } = data;

	const save = (addresses: string[]) =>
		attempt(async () =>
			queries.setQueryData(
				limitsKey,
				await ask("PATCH", limitsPath, { deliverTo: addresses }),
			),
		);

	async function add(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (await save([...deliverTo, typed.trim()])) setTyped("");
	}

	return (
		<Panel title={say("ai.queue")}>
			<p className="text-s muted">
				{say("ai.queueLead")} {say("ai.waiting", { count: waiting })}
			</p>
			{problem}
			<div>
				{deliverTo.map((address) => (
					<div className="panel-row" key={address}>
						<code className="grow">{address}</code>
						<IconButton
							label={say("ai.forbid", { address })}
							onClick={() => save(deliverTo.filter((it) => it !== address))}
						>
							<X size={20} aria-hidden />
						</IconButton>
					</div>
				))}
			</div>
			{deliverySecret && deliverTo.length > 0 && (
				<p className="text-s muted">
					{say("ai.deliverySecret")} <code>{deliverySecret}</code>
				</p>
			)}
			<form className="column-flex" onSubmit={add}>
				<TextField
					label={say("ai.address")}
					type="url"
					placeholder="https://"
					value={typed}
					onChange={setTyped}
					required
				/>
				<div>
					<Button type="submit" isBusy={isBusy}>
						{say("ai.allow")}
					</Button>
				</div>
			</form>
		</Panel>
	);
}
