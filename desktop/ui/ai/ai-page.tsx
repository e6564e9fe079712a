import { useWords } from "../words/index.ts";
import { ApiKeys } from "./keys.tsx";
import { AppLimits } from "./limits.tsx";
import { Playground } from "./playground.tsx";
import { Spend } from "./spend.tsx";
import "./ai.css";

/** Ask a question first, and see what AI costs; beside it who may use it, and the keys of other programs. */
export default function Ai() {
	const { say } = useWords();
	return (
		<section className="page page-forms">
			<h1>{say("app.ai")}</h1>
			<div className="panel-columns">
				<div>
					<Playground />
					<Spend />
				</div>
				<div>
					<AppLimits />
					<ApiKeys />
				</div>
			</div>
		</section>
	);
}
