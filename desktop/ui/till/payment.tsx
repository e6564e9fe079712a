import {
	Alert,
	Button,
	Group,
	NumberInput,
	SegmentedControl,
	SimpleGrid,
	Stack,
	Text,
	TextInput,
} from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import { useAttempt } from "../components/attempt.tsx";
import { decimalOf } from "../components/decimal.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { quickAmounts } from "./quick-amounts.ts";
import { type Method, methods, type Tender } from "./sale.ts";
import { asShown, paidFor } from "./tender.ts";

/** Takes the payment; Enter completes the sale from any field. */
export function Payment({
	total,
	unpriced,
	problem,
	onPaid,
	onClose,
}: {
	total: number;
	/** The names of products without a price, sold for 0. */
	unpriced: readonly string[];
	/** Why the sale failed. */
	problem: string | undefined;
	onPaid(tender: Tender): Promise<void>;
	onClose(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const [method, setMethod] = useState<Method>("CASH");
	const [tendered, setTendered] = useState<number | string>("");
	const [reference, setReference] = useState("");
	const { attempt, isBusy } = useAttempt();
	const tenderedField = useRef<HTMLInputElement>(null);
	const [isAsked, setAsked] = useState(unpriced.length > 0);
	const due = asShown(total, format.digits);
	// An empty field means the exact amount; a typed 0 doesn't.
	const received = method === "CASH" ? (decimalOf(tendered) ?? total) : total;
	const paid = paidFor(total, received, format.digits);
	const change = paid - total;
	const isShort = change < 0;
	const isNothing = isShort && paid <= 0;

	function submit(event: FormEvent): void {
		event.preventDefault();
		// Enter alone never gives away money or goods.
		if (isShort || unpriced.length > 0) setAsked(true);
		else sell();
	}

	function sell(): void {
		const isCash = method === "CASH";
		const tender = { method, paid, reference: isCash ? "" : reference.trim() };
		void attempt(() => onPaid(tender));
	}

	return (
		<form onSubmit={submit}>
			<Stack>
				<Text fz="2.4rem" fw={700} ta="center" className="amount-big">
					{format.money(due)}
				</Text>
				<SegmentedControl
					size="lg"
					classNames={{ label: "touch" }}
					fullWidth
					aria-label={say("pay.title")}
					value={method}
					onChange={(value) => {
						setMethod(value as Method);
						setAsked(false);
					}}
					data={methods.map((value) => ({
						value,
						label: say(`pay.${value}`),
					}))}
				/>
				{method === "CASH" ? (
					<>
						<SimpleGrid cols={3} spacing="xs">
							{quickAmounts(due).map((amount) => (
								<Button
									key={amount}
									variant={
										amount === asShown(paid, format.digits)
											? "light"
											: "default"
									}
									size="lg"
									px={4}
									onClick={() => {
										setTendered(amount);
										setAsked(false);
									}}
								>
									{amount === due ? say("pay.exact") : format.quantity(amount)}
								</Button>
							))}
						</SimpleGrid>
						<NumberInput
							label={say("pay.tendered")}
							size="lg"
							value={tendered}
							onChange={(typed) => {
								setTendered(typed);
								setAsked(false);
							}}
							ref={tenderedField}
							placeholder={String(due)}
							min={0}
							decimalScale={6}
							hideControls
							autoFocus={!isAsked}
							data-autofocus={isAsked ? undefined : true}
						/>
						<Group justify="space-between" align="baseline" aria-live="polite">
							<Text>{say(isShort ? "pay.short" : "pay.change")}</Text>
							<Text
								fz="2.2rem"
								fw={700}
								className="amount"
								{...(isShort ? { c: "var(--mantine-color-error)" } : {})}
								data-testid="change"
							>
								{format.money(Math.abs(change))}
							</Text>
						</Group>
					</>
				) : (
					<TextInput
						label={say("pay.reference")}
						size="lg"
						value={reference}
						maxLength={100}
						onChange={(event) => setReference(event.currentTarget.value)}
						data-autofocus={isAsked ? undefined : true}
					/>
				)}
				{problem && (
					<Alert color="orange" role="alert">
						{problem}
					</Alert>
				)}
				{isAsked ? (
					<Alert color="orange" role="alert">
						<Stack>
							{isShort && (
								<Text>
									{isNothing
										? say("pay.nothing")
										: say("pay.shortAsked", {
												amount: format.money(-change),
											})}
								</Text>
							)}
							{unpriced.length > 0 && (
								<Text>
									{say("pay.unpriced", { names: unpriced.join(", ") })}
								</Text>
							)}
							<SimpleGrid cols={2} spacing="sm">
								<Button
									size="lg"
									px="xs"
									autoFocus
									data-autofocus
									onClick={() => {
										setAsked(false);
										if (isShort) tenderedField.current?.select();
										else onClose();
									}}
								>
									{say("pay.back")}
								</Button>
								{!isNothing && (
									<Button
										size="lg"
										px="xs"
										variant="default"
										loading={isBusy}
										onClick={sell}
									>
										{say("pay.anyway")}
									</Button>
								)}
							</SimpleGrid>
						</Stack>
					</Alert>
				) : (
					<Button type="submit" size="xl" loading={isBusy}>
						{say("pay.complete")}
					</Button>
				)}
			</Stack>
		</form>
	);
}
