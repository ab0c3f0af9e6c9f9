* What PSPP writes: a weight variable, ranges of missing values, labels and missing values of long texts, very long texts, times.
DATA LIST LIST NOTABLE /trust (F2.0) party (F2.0) region (A12) income (F10.2) wt (F6.3) day (DATE11) moment (DATETIME20) clock (TIME8) remark (A600).
BEGIN DATA
1 1 "north" 1200.50 0.5 28-FEB-2024 "31-DEC-1999 23:59:59" 08:30:00 "short"
2 2 "south" 2400 1.5 29-FEB-2024 "01-JAN-2000 00:00:00" 23:59:59 "a remark"
3 3 "unknownplace" 99999 1 01-MAR-2024 "15-JUN-2020 12:00:00" 00:00:00 ""
4 1 "refusedplace" -5 2 31-DEC-1899 "15-OCT-1582 00:00:00" 12:00:00 "x"
7 2 "north" 0 1 . . . "y"
8 . "south" 3100.25 1.25 01-JAN-1970 "01-JAN-1970 00:00:01" 01:02:03 "z"
-3 3 "east" . 0.75 02-JAN-1970 "02-JAN-1970 00:00:01" 01:02:03 "last"
END DATA.
STRING essay (A600).
COMPUTE essay = CONCAT(RPAD("", 300, "ab"), "|", RTRIM(remark), "|", RPAD("", 200, "z")).
STRING short (A3).
COMPUTE short = SUBSTR(region, 1, 3).
VARIABLE LABELS trust "Trust in people" party "Party voted for" remark "Remark of the interviewer".
VALUE LABELS trust 1 "none" 2 "some" 3 "much" 4 "full" 7 "not asked" 8 "do not know"
  /party 1 "Zebra" 2 "Ape" 3 "Mole"
  /region "north" "North of the river" "south" "South of the river" "east" "East" "unknownplace" "Not known"
  /short "nor" "N" "sou" "S".
MISSING VALUES trust (LOWEST THRU 0, 8) income (99999) region ("unknownp").
VARIABLE LEVEL trust (ORDINAL) party region short (NOMINAL) income (SCALE).
WEIGHT BY wt.
SAVE OUTFILE="pspp-none.sav" /UNCOMPRESSED.
SAVE OUTFILE="pspp-bytes.sav" /COMPRESSED.
SAVE OUTFILE="pspp-zlib.zsav" /ZCOMPRESSED.

* Texts that are not UTF-8.
NEW FILE.
SET LOCALE="windows-1252".
DATA LIST LIST NOTABLE /größe (F2.0) ort (A10).
BEGIN DATA
1 "Köln"
2 "Bräunlage"
3 "Mainz"
END DATA.
VARIABLE LABELS größe "Körpergröße".
VALUE LABELS größe 1 "groß" 2 "mittelmäßig" 3 "klein".
SAVE OUTFILE="pspp-windows-1252.sav".
