import { type FormEvent, useState } from "react";
import type { Role } from "../../../sync/entities/entity.ts";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { useWords } from "../words/index.ts";
import { useRefreshStaff, useStaff } from "./use-staff.ts";

/** Sets or removes a member's PIN. The key is derived here: the server never sees the PIN. */
export function PinForm({
	userId,
	role,
	onDone,
}: {
	userId: string;
	/** Who approves what others do needs a longer PIN. */
	role: Role | null;
	onDone?(): void;
}) {
	const { say } = useWords();
	const refresh = useRefreshStaff();
	const hasPin = useStaff().some(({ id }) => id === userId);
	const { attempt, problem, isBusy } = useAttempt();
	const [pin, setPin] = useState("");
	const digits = role === "CASHIER" ? 4 : 6;
	const path = `/api/members/${userId}/pin`;

	async function change(work: () => Promise<unknown>): Promise<void> {
		const isChanged = await attempt(async () => {
			await work();
			await refresh();
		});
		if (!isChanged) return;
		setPin("");
		onDone?.();
	}

	function save(event: FormEvent): void {
		event.preventDefault();
		void change(async () => {
			const { makePinKey } = await import("../../../sync/protocol/pin-key.ts");
			await ask("POST", path, await makePinKey(pin));
		});
	}

	return (
		<form className="column-flex" onSubmit={save}>
			{problem}
			<TextField
				label={say(hasPin ? "staff.newPin" : "staff.pin", { digits })}
				value={pin}
				onChange={(typed) => setPin(typed.replace(/\D/g, ""))}
				inputMode="numeric"
				pattern={`\\d{${digits}}`}
				maxLength={digits}
				required
			/>
			<div className="row-flex">
				<Button type="submit" kind="ink" isBusy={isBusy}>
					{say("staff.savePin")}
				</Button>
				{hasPin && (
					<Button
						disabled={isBusy}
						onClick={() => change(() => ask("DELETE", path))}
					>
						{say("staff.removePin")}
					</Button>
				)}
			</div>
		</form>
	);
}
