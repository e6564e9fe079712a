import {
	ArrowLeft,
	Check,
	FileSpreadsheet,
	ScanBarcode,
	Store,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, Redirect, useLocation, useRoute } from "wouter";
import { demoProductCount } from "../../../sync/protocol/demo.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { FileButton } from "../components/file-button.tsx";
import { ImportList, listTypes } from "../products/import.tsx";
import { isTillsWindow } from "../sent-page.ts";
import { useMayManage, useShop } from "../session.tsx";
import { useBusiness } from "../shop/business.tsx";
import { Brand } from "../sign-in/cover.tsx";
import { type Demo, DemoReady, makeDemo } from "../sign-in/demo-ready.tsx";
import { useWords } from "../words/index.ts";
import { Shelf } from "./shelf.tsx";
import "./start.css";

/** Fills a new shop: bring a list, scan the shelf, or look around a demo shop first. */
export default function Start() {
	const { say } = useWords();
	const business = useBusiness();
	const [, navigate] = useLocation();
	const [, found] = useRoute("/start/:way?");
	const [file, setFile] = useState<File>();
	const mayManage = useMayManage();
	if (!mayManage) return <Redirect to="/" />;
	const way = found?.way;
	return (
		<main className="start">
			<header className="start-head">
				<Brand />
				{business && (
					<span className="text-s muted">
						<Check size={18} aria-hidden />
						{say("start.isOpen", { name: business.name })}
					</span>
				)}
			</header>
			{way === "list" ? (
				<Leaf title={say("start.list")}>
					<ImportList file={file} onDone={() => navigate("/")} />
				</Leaf>
			) : way === "shelf" ? (
				<Leaf title={say("start.shelf")}>
					<Shelf />
				</Leaf>
			) : (
				<Ways
					onFile={(chosen) => {
						setFile(chosen);
						navigate("/start/list");
					}}
				/>
			)}
		</main>
	);
}

function Leaf({ title, children }: { title: string; children: ReactNode }) {
	const { say } = useWords();
	return (
		<section className="leaf start-leaf">
			<div className="start-leaf-head">
				<Link className="btn btn-quiet btn-s" href="/start">
					<ArrowLeft size={20} aria-hidden />
					{say("start.back")}
				</Link>
				<h1>{title}</h1>
				<Link className="btn btn-s" href="/">
					{say("start.done")}
				</Link>
			</div>
			{children}
		</section>
	);
}

function Ways({ onFile }: { onFile(file: File): void }) {
	const { say } = useWords();
	const { session } = useShop();
	const { role } = session;
	return (
		<>
			<div className="start-title">
				<h1>{say("start.title")}</h1>
				<p className="muted">{say("start.lead")}</p>
			</div>
			<div className="ways">
				<Way
					hue={2}
					icon={<FileSpreadsheet size={38} strokeWidth={1.6} aria-hidden />}
					title={say("start.list")}
					lead={say("start.listLead")}
				>
					<FileButton accept={listTypes} kind="ink" isWide onFile={onFile}>
						{say("import.choose")}
					</FileButton>
				</Way>
				<Way
					hue={7}
					icon={<ScanBarcode size={38} strokeWidth={1.6} aria-hidden />}
					title={say("start.shelf")}
					lead={say("start.shelfLead")}
				>
					<Link className="btn btn-wide" href="/start/shelf">
						{say("start.shelfGo")}
					</Link>
				</Way>
				{/* A desktop till holds one shop. */}
				{role === "OWNER" && !isTillsWindow && <DemoWay />}
			</div>
			<p className="start-or muted">
				{say("start.or")}{" "}
				<Link className="link" href="/">
					{say("start.empty")}
				</Link>
			</p>
		</>
	);
}

/** Opens a demo shop beside the owner's own, and shows its account before it goes there. */
function DemoWay() {
	const { say } = useWords();
	const { signedIn } = useShop();
	const [, navigate] = useLocation();
	const { attempt, problem, isBusy } = useAttempt();
	const [demo, setDemo] = useState<Demo>();
	return (
		<Way
			hue={3}
			icon={<Store size={38} strokeWidth={1.6} aria-hidden />}
			title={say(demo ? "setup.demoReady" : "start.demo")}
			lead={
				demo
					? say("setup.demoPassword")
					: say("start.demoLead", { products: demoProductCount })
			}
		>
			{problem}
			{demo ? (
				<>
					<DemoReady
						demo={demo}
						isBusy={isBusy}
						onEnter={() =>
							attempt(async () => {
								await signedIn();
								navigate("/");
							})
						}
					/>
					<span className="text-s muted">{say("start.demoReturn")}</span>
				</>
			) : (
				<Button
					isWide
					isBusy={isBusy}
					onClick={() => attempt(async () => setDemo(await makeDemo()))}
				>
					{say("start.demoGo")}
				</Button>
			)}
		</Way>
	);
}

function Way({
	hue,
	icon,
	title,
	lead,
	children,
}: {
	hue: number;
	icon: ReactNode;
	title: string;
	lead: string;
	children: ReactNode;
}) {
	return (
		<section
			className="leaf way"
			style={{ "--hue": `var(--hue-${hue})` } as React.CSSProperties}
		>
			<span className="way-stub">{icon}</span>
			<div className="way-body">
				<h2>{title}</h2>
				<p className="muted">{lead}</p>
				{children}
			</div>
		</section>
	);
}
