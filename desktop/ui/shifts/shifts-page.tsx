import { Banknote } from "lucide-react";
import { useState } from "react";
import { useSearch } from "wouter";
import { serverDrawer } from "../../../sync/protocol/till-api.ts";
import type { ShiftSummary } from "../../../sync/queries/shift.ts";
import { Button } from "../components/button.tsx";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { Sheet } from "../components/sheet.tsx";
import { Tag } from "../components/tag.tsx";
import { useFormat } from "../format.ts";
import { useMayManage } from "../session.tsx";
import { useAnswer, useRows, useStatus } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { CashForm } from "./cash-form.tsx";
import { CountForm } from "./count-form.tsx";
import { DaySheet } from "./day-sheet.tsx";
import { OpenForm } from "./open-form.tsx";
import { ReportSheet } from "./report-sheet.tsx";
import "../components/page-head.css";
import "./shifts.css";

type Part =
	| { at: "list" | "opening" | "cash" }
	| { at: "day"; today: string }
	| { at: "counting"; shift: ShiftSummary }
	| { at: "report"; id: string };

/** The cash drawer: opened with a float, counted at the end, and what earlier counts found. */
export default function Shifts() {
	const { say } = useWords();
	const mayManage = useMayManage();
	const asked = new URLSearchParams(useSearch()).get("open");
	const [part, setPart] = useState<Part>(
		asked === null ? { at: "list" } : { at: "report", id: asked },
	);
	const drawerId = useDrawer();
	const latest = useAnswer("shift.current", { drawerId });
	const today = useAnswer("business.today", {});
	const list = useRows("shift.list", {});
	const isAnswered = [latest, today, list].every((it) => !it.isPending);
	const close = () => setPart({ at: "list" });
	const current = latest.data?.shift;
	const now = today.data;
	const openButton = (
		<Button kind="ink" onClick={() => setPart({ at: "opening" })}>
			{say("shifts.open")}
		</Button>
	);
	return (
		<section className="page">
			<div className="page-head">
				<h1>{say("shifts.title")}</h1>
				{/* At once: one that came later would push the others away from a finger. */}
				{isAnswered && (
					<div className="row-flex">
						{mayManage && now && (
							<Button onClick={() => setPart({ at: "day", today: now.day })}>
								{say("shifts.day")}
							</Button>
						)}
						<Button onClick={() => setPart({ at: "cash" })}>
							{say("shifts.cash")}
						</Button>
						{current && (
							<Button
								kind="ink"
								onClick={() => setPart({ at: "counting", shift: current })}
							>
								{say("shifts.count")}
							</Button>
						)}
						{current === null && list.rows.length > 0 && openButton}
					</div>
				)}
			</div>
			<LoadError error={latest.error ?? list.error} />
			{list.isSuccess && list.rows.length === 0 && (
				<Empty Icon={Banknote} hue={2} title={say("shifts.none")}>
					{current === null && openButton}
				</Empty>
			)}
			<div className="shifts-list">
				{list.rows.map((shift) => (
					<Row
						key={shift.id}
						shift={shift}
						onOpen={() =>
							setPart(
								shift.compared === null && !mayManage
									? { at: "counting", shift }
									: { at: "report", id: shift.id },
							)
						}
					/>
				))}
			</div>
			<MoreButton list={list} />
			{part.at === "opening" && (
				<Sheet title={say("shifts.open")} mayCloseByTap={false} onClose={close}>
					<OpenForm onDone={close} />
				</Sheet>
			)}
			{part.at === "cash" && (
				<Sheet title={say("shifts.cash")} mayCloseByTap={false} onClose={close}>
					<CashForm onDone={close} />
				</Sheet>
			)}
			{part.at === "counting" && (
				<Sheet
					title={say("shifts.count")}
					mayCloseByTap={false}
					onClose={close}
				>
					<CountForm
						shift={part.shift}
						isHere={part.shift.drawerId === drawerId}
						onDone={() => setPart({ at: "report", id: part.shift.id })}
					/>
				</Sheet>
			)}
			{part.at === "day" && (
				<DaySheet today={part.today} here={drawerId} onClose={close} />
			)}
			{part.at === "report" && (
				<ReportSheet
					id={part.id}
					onCount={(shift) => setPart({ at: "counting", shift })}
					onClose={close}
				/>
			)}
		</section>
	);
}

function Row({ shift, onOpen }: { shift: ShiftSummary; onOpen(): void }) {
	const { say } = useWords();
	const format = useFormat();
	const { openedAt, openedLocal, openedBy } = shift;
	const { closedAt, closedLocal, closedBy } = shift;
	const isHere = useDrawer() === shift.drawerId;
	const cash = shift.compared?.find(({ method }) => method === "CASH");
	const until =
		closedLocal?.slice(0, 10) === openedLocal.slice(0, 10)
			? format.time
			: format.moment;
	return (
		<Button isWide onClick={onOpen}>
			<span className="grow shifts-words">
				<b>
					{format.moment(openedAt)}
					{closedAt !== null && ` – ${until(closedAt)}`}
				</b>
				<span className="muted text-s">
					{[
						[...new Set([openedBy, closedBy])].filter(Boolean).join(", "),
						say(isHere ? "shifts.here" : "shifts.elsewhere"),
						cash && cash.counted !== null && format.money(cash.counted),
					]
						.filter(Boolean)
						.join(" · ")}
				</span>
			</span>
			<Difference difference={shift.difference} />
		</Button>
	);
}

/** The drawer that sales made here belong to. */
const useDrawer = () => useStatus("deviceId") ?? serverDrawer;

/** Whether a count found what should be there. */
function Difference({ difference }: Pick<ShiftSummary, "difference">) {
	const { say } = useWords();
	const format = useFormat();
	if (difference === null) return <Tag>{say("shifts.isOpen")}</Tag>;
	if (difference === 0) return <Tag tone="money">{say("shifts.even")}</Tag>;
	return (
		<Tag tone="danger">
			{say(difference < 0 ? "shifts.short" : "shifts.over", {
				amount: format.money(Math.abs(difference)),
			})}
		</Tag>
	);
}
