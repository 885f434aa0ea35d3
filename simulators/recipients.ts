import * as v from 'valibot'

/** How a recipient behaves: `refused` fails permanently, `busy` temporarily. */
export const recipientBehaviours = ['ok', 'refused', 'busy'] as const
export type RecipientBehaviour = (typeof recipientBehaviours)[number]

export type Recipient = { to: string; behaviour: RecipientBehaviour }

export const recipientsSchema = v.array(
  v.strictObject({
    to: v.pipe(v.string(), v.minLength(1), v.maxLength(320)),
    behaviour: v.picklist(recipientBehaviours),
  }),
)

export const parseRefusedRecipients = (list: string | undefined): Recipient[] =>
  (list ?? '')
    .split(',')
    .map((to) => to.trim())
    .filter(Boolean)
    .map((to) => ({ to, behaviour: 'refused' }))
