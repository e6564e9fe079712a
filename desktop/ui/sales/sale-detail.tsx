import {
	Badge,
	Button,
	Checkbox,
	Group,
	NumberInput,
	Stack,
	Text,
	TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRef, useState } from "react";
import { v7 as newId } from "uuid";
import type { Sale } from "../../../sync/entities/sale.ts";
import { useAttempt } from "../components/attempt.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { useDraft } from "../components/draft.ts";
import { LoadError } from "../components/load-error.tsx";
import { useFormat } from "../format.ts";
import { DeliveryStatus } from "../receipts/delivery-status.tsx";
import { openReceipt } from "../receipts/open-receipt.ts";
import { printReceipt } from "../receipts/print.ts";
import { useShop } from "../session.tsx";
import { makeAndSend } from "../shop/send.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** A sale with its refunds, and the forms to refund or void it. */
export function SaleDetail({ sale }: { sale: Sale }) {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const form = useForm({
		initialValues: {
			reason: "",
			restock: true,
			/** The quantity to refund of each line, by line id. */
			back: {} as Record<string, number | "">,
		},
	});
	useDraft(`sale ${sale.id}`, form);
	const { reason, restock, back } = form.values;
	const { data: receipt, error } = useAnswer("receipt.get", {
		id: sale.id,
	});
	const isOpen =
		receipt?.status === "sold" || receipt?.status === "partly refunded";
	const chosen = Object.entries(back).flatMap(([itemId, quantity]) =>
		Number(quantity) > 0 ? [{ itemId, quantity: Number(quantity) }] : [],
	);

	// Retries use the same ids, so that a lost response never refunds twice.
	const asked = useRef({ what: "", id: "" });
	const [madeId, setMade] = useState<string>();

	async function takeBack(
		mutation: "sale.void" | "sale.refund",
		more: { items?: object[] },
	): Promise<void> {
		const args = { saleId: sale.id, reason, restock, ...more };
		const what = JSON.stringify([mutation, args]);
		if (asked.current.what !== what) asked.current = { what, id: newId() };
		const { id } = asked.current;
		const items = more.items?.map((item, i) => ({ ...item, id: `${id} ${i}` }));
		const made = { ...args, id, ...(items && { items }) };
		const isDone = await attempt(() => makeAndSend(shop, mutation, made, id));
		if (!isDone) return;
		asked.current = { what: "", id: "" };
		setMade(id);
		// The refund shows at once; don't clear a next reason that is being typed.
		const typed = form.getValues().reason;
		form.reset();
		if (typed !== reason) form.setFieldValue("reason", typed);
	}

	return (
		<Stack>
			<Text c="dimmed">{format.moment(sale.createdAt)}</Text>
			<LoadError error={error} />
			{madeId && <DeliveryStatus mutationId={madeId} />}
			{receipt && receipt.status !== "sold" && (
				<Badge color="orange" tt="none" size="lg" variant="light">
					{receipt.status === "voided"
						? say("receipt.voided")
						: `${say("receipt.refunded")} ${format.money(receipt.refundedTotal)}`}
				</Badge>
			)}
			{sale.items.map((item, i) => {
				const refunded = receipt?.lines[i]?.refunded ?? 0;
				return (
					<Group key={item.id} justify="space-between" wrap="nowrap">
						<Stack gap={0} miw={0}>
							<Text truncate>{item.name}</Text>
							<Text size="sm" c="dimmed">
								{format.quantity(item.quantity)} × {format.money(item.price)}
								{refunded > 0
									? ` · ${say("receipt.refunded")} ${format.quantity(refunded)}`
									: ""}
							</Text>
						</Stack>
						{isOpen && (
							<NumberInput
								w={90}
								min={0}
								max={item.quantity - refunded}
								decimalScale={6}
								aria-label={`${say("sales.refund")}: ${item.name}`}
								value={back[item.id] ?? 0}
								onChange={(value) =>
									form.setFieldValue("back", {
										...back,
										[item.id]: Number(value) || 0,
									})
								}
							/>
						)}
					</Group>
				);
			})}
			<Group justify="space-between">
				<Text fw={700}>{say("receipt.total")}</Text>
				<Text fw={700} className="amount">
					{format.money(sale.total)}
				</Text>
			</Group>
			{receipt?.cashier && (
				<Text size="sm" c="dimmed">
					{say("receipt.cashier")} {receipt.cashier}
				</Text>
			)}
			<Button
				variant="default"
				disabled={!receipt}
				onClick={() =>
					attempt(() =>
						printReceipt(shop, sale.id, {
							otherwise: () => receipt && openReceipt(receipt),
						}),
					)
				}
			>
				{say("pay.print")}
			</Button>
			{problem}
			{isOpen && (
				<Stack>
					<TextInput
						{...form.getInputProps("reason")}
						label={say("sales.reason")}
						maxLength={500}
					/>
					<Checkbox
						{...form.getInputProps("restock", { type: "checkbox" })}
						label={say("sales.restock")}
					/>
					<Group grow>
						<Button
							disabled={chosen.length === 0 || reason.trim() === ""}
							loading={isBusy}
							onClick={() => takeBack("sale.refund", { items: chosen })}
						>
							{say("sales.refund")}
						</Button>
						<ConfirmButton
							color="red"
							variant="light"
							disabled={reason.trim() === "" || isBusy}
							label={say("sales.void")}
							question={say("sales.voidSure")}
							onConfirm={() => void takeBack("sale.void", {})}
						/>
					</Group>
				</Stack>
			)}
		</Stack>
	);
}
