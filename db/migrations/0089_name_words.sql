-- The words of a name in the form that searches compare: without case, diacritics, apostrophes, invisible characters and differences of
-- Unicode form. It uses no extension. Words are cut at 60 characters, because an index cannot take words of any length. The function's cost
-- is high, so that no search reads a whole table with it.
create function name_words(name text) returns text[] language plpgsql immutable parallel safe cost 1000 as $$
  begin return array(
    select left(word, 60) from regexp_split_to_table(
      replace(replace(replace(replace(
        translate(
          lower(regexp_replace(
            normalize(
              translate(name, U&'\0027\0060\00b4\02b9\02bb\02bc\02bd\02be\02bf\02c8\05f3\2018\2019\201a\201b\2032\a78c\ff07', ''), nfkd
            ),
            '[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u2069\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]',
            '', 'g'
          )),
          U&'\00f8\00d8\0111\0110\0142\0141\0127\0126\0131\00f0\00d0\014b\014a\00c6\0152\00de\1e9e',
          U&'ooddllhhiddnn\00e6\0153\00fe\00df'
        ),
        U&'\00e6', 'ae'), U&'\0153', 'oe'), U&'\00fe', 'th'), U&'\00df', 'ss'),
      '[\u0001-/:-`{-\u00bf\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f]+'
    ) as word where word <> ''
  ); end $$;
