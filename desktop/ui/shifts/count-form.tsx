import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { v7 as newId } from "uuid";
import { cashOf } from "../../../sync/entities/currency.ts";
import { plus, toDecimal, toMicros } from "../../../sync/entities/money.ts";
import type { Cashier } from "../../../sync/protocol/till-api.ts";
import type { ShiftSummary } from "../../../sync/queries/shift.ts";
import { Button } from "../components/button.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { Money } from "../components/money.tsx";
import { useFormat } from "../format.ts";
import { useMethodName } from "../sales/method-name.ts";
import { useShop } from "../session.tsx";
import { useFact } from "../shop/use-fact.ts";
import { useStatus } from "../shop/use-shop-data.ts";
import { useSwitch } from "../staff/use-staff.ts";
import { methods } from "../till/sale.ts";
import { useWords } from "../words/index.ts";
import { useCountDraft } from "./count-draft.ts";
import { HandOver } from "./hand-over.tsx";

const others = methods.filter((method) => method !== "CASH");

/** Counts a drawer by notes and coins. Nothing here shows what should be in it, which the report says afterwards. */
export function CountForm({
	shift: { id: shiftId },
	isHere,
	onDone,
}: {
	shift: ShiftSummary;
	/** Whether it is this till's drawer, which the next person takes over here. */
	isHere: boolean;
	onDone(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const nameOf = useMethodName();
	const pending = useStatus("pending");
	const [typed, setTyped, forget] = useCountDraft(shiftId);
	const [reason, setReason] = useState("");
	const [isHanding, setHanding] = useState(false);
	const { shop, sellAs } = useShop();
	const { canSwitch } = useSwitch();
	const { current: opening } = useRef(newId());
	const { record, problem, isBusy } = useFact(() => {
		forget();
		onDone();
	});
	const values = cashOf(format.currency).pieces;
	const pieces = values
		.map((value) => ({ value, count: decimalOf(typed[value] ?? "") ?? 0 }))
		.filter(({ count }) => count > 0);
	const cash = pieces.reduce(
		(sum, { value, count }) => plus(sum, times(value, count)),
		0,
	);
	/** Nobody has said how much there is, nor that there is nothing. */
	const isBlank = values.every((value) => !typed[value]);
	const isWhole = pieces.every(({ count }) => Number.isInteger(count));

	/** Also hands the drawer over, to the next person or to the same, with all the cash that was counted as their float. */
	async function handOver(next: Cashier | undefined): Promise<void> {
		await record(
			"shift.close",
			{ ...found(), leftInDrawer: cash },
			async () => {
				// Before the next mutation is made: it is the next person's.
				if (next) flushSync(() => sellAs(next));
				await shop.mutate(
					"shift.open",
					{ id: opening, openingFloat: cash },
					{ id: opening },
				);
			},
		);
	}

	function found() {
		const counted = [
			{ method: "CASH", amount: cash },
			...others.flatMap((method) => {
				const amount = decimalOf(typed[method] ?? "");
				return amount === undefined ? [] : [{ method, amount }];
			}),
		];
		return { shiftId, counted, pieces, reason: reason.trim() || null };
	}

	async function close(event?: FormEvent): Promise<void> {
		event?.preventDefault();
		const leftInDrawer = decimalOf(typed.left ?? "") ?? null;
		await record("shift.close", { ...found(), leftInDrawer });
	}

	if (isHanding)
		return (
			<div className="column-flex">
				{problem}
				<HandOver onRight={handOver} />
			</div>
		);

	const field = (name: string, label: string, isFirst = false) => (
		<DecimalField
			key={name}
			label={label}
			value={typed[name] ?? ""}
			onChange={(text) => setTyped(name, text)}
			data-autofocus={isFirst ? true : undefined}
		/>
	);
	return (
		<form className="column-flex" onSubmit={close}>
			{problem}
			{pending > 0 && (
				<p className="muted">{say("shifts.unsent", { count: pending })}</p>
			)}
			<fieldset className="count-pieces">
				<legend>{say("shifts.pieces")}</legend>
				{values.map((value, i) =>
					field(String(value), format.quantity(value), i === 0),
				)}
			</fieldset>
			<div className="pay-due">
				<span className="strong">{say("shifts.counted")}</span>
				<Money value={cash} size="total" testId="counted-cash" />
			</div>
			<fieldset className="count-others">
				<legend>{say("shifts.others")}</legend>
				{others.map((method) => field(method, nameOf(method)))}
			</fieldset>
			{field("left", say("shifts.left"))}
			<TextField
				label={say("shifts.remark")}
				value={reason}
				maxLength={500}
				onChange={setReason}
			/>
			<div className="sheet-foot">
				{isHere && (
					<Button
						size="l"
						isBusy={isBusy}
						disabled={!isWhole}
						onClick={() =>
							canSwitch ? setHanding(true) : void handOver(undefined)
						}
					>
						{say("shifts.handOver")}
					</Button>
				)}
				{isBlank ? (
					// The Enter that opened this form may be held a moment too long.
					<ConfirmButton
						kind="ink"
						size="l"
						isBusy={isBusy}
						label={say("shifts.close")}
						question={say("shifts.emptyAsked")}
						onConfirm={() => void close()}
					/>
				) : (
					<Button
						type="submit"
						kind="ink"
						size="l"
						isBusy={isBusy}
						disabled={!isWhole}
					>
						{say("shifts.close")}
					</Button>
				)}
			</div>
		</form>
	);
}

const times = (value: number, count: number) =>
	toDecimal(toMicros(value) * count);
