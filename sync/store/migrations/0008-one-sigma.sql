UPDATE products SET search_name = replace(search_name, 'ς', 'σ') WHERE search_name LIKE '%ς%';
