import * as v from 'valibot'

/** A note for colleagues. Control characters are replaced by spaces, because they could manipulate a terminal that shows the note. */
export const createNoteSchema = () =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((typed) => typed.replaceAll(/[^\P{Cc}\n]/gu, ' ').trim()),
    v.maxLength(500, 'A note can have at most 500 characters.'),
  )
