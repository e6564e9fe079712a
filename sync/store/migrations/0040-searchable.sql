-- Names are searched and sorted without accents: sync/entities/searchable.ts. cspell:disable
CREATE TABLE accents (accented TEXT NOT NULL, plain TEXT NOT NULL);
INSERT INTO accents (accented, plain) VALUES (
  'àáâãäåçèéêëìíîïðñòóôõöøùúûüýÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįıĵķĺļľłńņňōŏőŕŗřśŝşšţťŧũūŭůűųŵŷźżžơưǎǐǒǔǖǘǚǜǟǡǧǩǫǭǰǵǹǻȁȃȅȇȉȋȍȏȑȓȕȗșțȟȧȩȫȭȯȱȳΐάέήίΰϊϋόύώḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕẖẗẘẙạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹἀἁἂἃἄἅἆἇἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὐὑὒὓὔὕὖὗὠὡὢὣὤὥὦὧὰὲὴὶὸὺὼᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥᾦᾧᾰᾱᾲᾳᾴᾶᾷῂῃῄῆῇῐῑῒῖῗῠῡῢῤῥῦῧῲῳῴῶῷ',
  'aaaaaaceeeeiiiidnoooooouuuuyyaaaccccddeeeeegggghhiiiiijkllllnnnooorrrsssstttuuuuuuwyzzzouaiouuuuuaagkoojgnaaaeeiioorruusthaeooooyιαεηιυιυουωabbbcdddddeeeeefghhhhhiikkkllllmmmnnnnoooopprrrrsssssttttuuuuuvvwwwwwxxyzzzhtwyaaaaaaaaaaaaeeeeeeeeiioooooooooooouuuuuuuyyyyααααααααεεεεεεηηηηηηηηιιιιιιιιοοοοοουυυυυυυυωωωωωωωωαεηιουωααααααααηηηηηηηηωωωωωωωωαααααααηηηηηιιιιιυυυρρυυωωωωω');
UPDATE products SET search_name = (
  WITH RECURSIVE folded (n, name) AS (
    SELECT 0, replace(replace(replace(replace(replace(products.search_name, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'i̇', 'i')
    UNION ALL
    SELECT n + 1, replace(name, substr(accented, n + 1, 1), substr(plain, n + 1, 1)) FROM folded, accents WHERE n < length(accented)
  )
  SELECT name FROM folded, accents WHERE n = length(accented)
) WHERE octet_length(search_name) <> length(search_name);
UPDATE customers SET search_name = (
  WITH RECURSIVE folded (n, name) AS (
    SELECT 0, replace(replace(replace(replace(replace(customers.search_name, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'i̇', 'i')
    UNION ALL
    SELECT n + 1, replace(name, substr(accented, n + 1, 1), substr(plain, n + 1, 1)) FROM folded, accents WHERE n < length(accented)
  )
  SELECT name FROM folded, accents WHERE n = length(accented)
) WHERE octet_length(search_name) <> length(search_name);
DROP TABLE accents;
