import { Download } from "lucide-react";
import { useFormat } from "../format.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { useTaxes } from "./use-taxes.ts";

/** What was sold and taken back in a period, by tax class and rate. Shops without taxes see nothing. */
export function TaxReport({
	period,
}: {
	period: { from: string; to: string };
}) {
	const { say } = useWords();
	const format = useFormat();
	const isTaxed = useTaxes().length > 0;
	const { data } = useAnswer("report.tax", period, { enabled: isTaxed });
	if (!isTaxed || !data || data.rows.length === 0) return null;
	const title = say("taxes.report");
	return (
		<section className="leaf overview-card">
			<div className="overview-head">
				<h3>{title}</h3>
				<a
					className="btn btn-default btn-s"
					href={`/api/reports/tax.csv?${new URLSearchParams(period)}`}
					download
				>
					<Download size={18} aria-hidden />
					{say("app.export")}
				</a>
			</div>
			<table className="sums">
				<caption className="visually-hidden">{title}</caption>
				<thead>
					<tr>
						<th>{say("taxes.class")}</th>
						<th className="only-wide">{say("taxes.net")}</th>
						<th>{say("taxes.tax")}</th>
						<th>{say("taxes.gross")}</th>
						<th className="only-wide">{say("taxes.refunded")}</th>
					</tr>
				</thead>
				<tbody>
					{data.rows.map(({ taxClass, taxRate, sold, refunded }) => (
						<tr key={`${taxClass} ${taxRate}`}>
							<th scope="row">
								{taxClass === null || taxRate === null
									? say("taxes.without")
									: `${taxClass} ${say("taxes.percent", { rate: format.quantity(taxRate) })}`}
							</th>
							<td className="only-wide">{format.figure(sold.net)}</td>
							<td>{format.figure(sold.tax)}</td>
							<td>{format.figure(sold.gross)}</td>
							<td className="only-wide">
								{refunded.gross === 0
									? ""
									: say("taxes.back", {
											gross: format.figure(refunded.gross),
											tax: format.figure(refunded.tax),
										})}
							</td>
						</tr>
					))}
				</tbody>
				<tfoot>
					<tr>
						<th scope="row">{say("taxes.total")}</th>
						<td className="only-wide">{format.figure(data.total.net)}</td>
						<td>{format.figure(data.total.tax)}</td>
						<td>{format.figure(data.total.gross)}</td>
						<td className="only-wide" />
					</tr>
				</tfoot>
			</table>
		</section>
	);
}
