import * as v from 'valibot'

/** How whoever a message is for takes it: `refused` is a definite no, `busy` a no for now. */
export const recipientBehaviours = ['ok', 'refused', 'busy'] as const
export type RecipientBehaviour = (typeof recipientBehaviours)[number]

export type Recipient = { to: string; behaviour: RecipientBehaviour }

/** What `POST /_simulator/recipients` takes. */
export const recipientsSchema = v.array(
  v.strictObject({
    to: v.pipe(v.string(), v.minLength(1), v.maxLength(320)),
    behaviour: v.picklist(recipientBehaviours),
  }),
)

/** Those that a comma-separated setting names, all refused. */
export const refusedOf = (list: string | undefined): Recipient[] =>
  (list ?? '')
    .split(',')
    .map((to) => to.trim())
    .filter(Boolean)
    .map((to) => ({ to, behaviour: 'refused' }))
