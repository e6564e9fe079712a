import { BookOpen } from "lucide-react";
import { Link } from "wouter";
import { Empty } from "../components/empty.tsx";
import { useMayManage } from "../session.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** What a new shop does first, in place of empty charts. */
export function FirstSteps() {
	const { say } = useWords();
	const mayManage = useMayManage();
	const { data: products } = useAnswer("product.counts", {});
	const hasGoods = (products?.active ?? 0) > 0;
	return (
		<Empty Icon={BookOpen} title={say("first.title")}>
			{!hasGoods && <p className="muted first-text">{say("first.text")}</p>}
			<div className="first-steps">
				{mayManage && !hasGoods && (
					<>
						<Link href="/start/list" className="btn btn-wide btn-ink">
							{say("first.list")}
						</Link>
						<Link href="/start/shelf" className="btn btn-wide">
							{say("first.scan")}
						</Link>
					</>
				)}
				<Link href="/" className={`btn btn-wide ${hasGoods ? "btn-ink" : ""}`}>
					{say("first.sell")}
				</Link>
			</div>
		</Empty>
	);
}
