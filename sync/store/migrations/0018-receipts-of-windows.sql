-- A till's window counted the receipts that it printed under the till's prefix by itself; the till goes on behind them.
UPDATE replica SET last_receipt = (
  SELECT max(counted) FROM (
    SELECT replica.last_receipt AS counted
    UNION ALL
    SELECT CAST(substr(receipt_number, length(replica.prefix) + 2) AS BIGINT) FROM sales
    WHERE sales.business_id = replica.business_id
      AND substr(receipt_number, 1, length(replica.prefix) + 1) = replica.prefix || '-'
      AND length(receipt_number) - length(replica.prefix) BETWEEN 7 AND 10
      AND ltrim(substr(receipt_number, length(replica.prefix) + 2), '0123456789') = ''
  ) AS receipts
) WHERE prefix IS NOT NULL;
