import {
	Alert,
	Button,
	Group,
	Modal,
	NumberInput,
	SegmentedControl,
	SimpleGrid,
	Stack,
	Text,
	TextInput,
} from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { quickAmounts } from "./quick-amounts.ts";
import { type Method, methods, type Tender } from "./sale.ts";
import { asShown, paidFor } from "./tender.ts";

/** Takes the money: Enter completes the sale from anywhere in it. */
export function Payment({
	total,
	unpriced,
	problem,
	isCovered,
	onPaid,
	onClose,
}: {
	total: number;
	/** What is sold for nothing, for want of a price. */
	unpriced: readonly string[];
	/** Why the sale was not made. */
	problem: string | undefined;
	/** A sheet lies over it, and has the keys. */
	isCovered: boolean;
	onPaid(tender: Tender): Promise<void>;
	onClose(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const [method, setMethod] = useState<Method>("CASH");
	const [tendered, setTendered] = useState<number | string>("");
	const [reference, setReference] = useState("");
	const [isBusy, setBusy] = useState(false);
	const due = asShown(total, format.digits);
	const paid =
		method === "CASH"
			? paidFor(total, Number(tendered) || total, format.digits)
			: total;
	const change = paid - total;

	async function submit(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (isBusy) return;
		setBusy(true);
		await onPaid({
			method,
			paid,
			reference: method === "CASH" ? "" : reference.trim(),
		}).finally(() => setBusy(false));
	}

	return (
		<Modal
			opened
			onClose={onClose}
			title={say("pay.title")}
			size="md"
			trapFocus={!isCovered}
			closeOnEscape={!isCovered}
			// Whoever knows the keys types the sum at once.
			transitionProps={{ duration: 0 }}
		>
			<form onSubmit={submit}>
				<Stack>
					<Text fz="2.4rem" fw={700} ta="center" className="amount-big">
						{format.money(due)}
					</Text>
					{unpriced.length > 0 && (
						<Alert color="orange" role="alert">
							{say("pay.unpriced", { names: unpriced.join(", ") })}
						</Alert>
					)}
					<SegmentedControl
						size="lg"
						classNames={{ label: "touch" }}
						fullWidth
						aria-label={say("pay.title")}
						value={method}
						onChange={(value) => setMethod(value as Method)}
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
										onClick={() => setTendered(amount)}
									>
										{amount === due
											? say("pay.exact")
											: format.quantity(amount)}
									</Button>
								))}
							</SimpleGrid>
							<NumberInput
								label={say("pay.tendered")}
								size="lg"
								value={tendered}
								onChange={setTendered}
								placeholder={String(due)}
								min={0}
								decimalScale={6}
								hideControls
								autoFocus
								data-autofocus
							/>
							<Group
								justify="space-between"
								align="baseline"
								aria-live="polite"
							>
								<Text>{say(change < 0 ? "pay.short" : "pay.change")}</Text>
								<Text
									fz="2.2rem"
									fw={700}
									className="amount"
									{...(change < 0 ? { c: "var(--mantine-color-error)" } : {})}
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
							data-autofocus
						/>
					)}
					{problem && (
						<Alert color="orange" role="alert">
							{problem}
						</Alert>
					)}
					<Button type="submit" size="xl" loading={isBusy}>
						{say("pay.complete")}
					</Button>
				</Stack>
			</form>
		</Modal>
	);
}
