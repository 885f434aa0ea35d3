import { everyPages } from '../render/chunks.ts'

// Which modules go into one script. What is not said here goes where the bundler sees fit.

/**
 * Files that go together, as paths from the root, by the name of their script. Each alone compresses worse and is one more
 * request, with more header than script.
 */
export const together = {
  figures: [
    'kit/contract/countries.ts',
    'kit/contract/dates.ts',
    'kit/contract/local-text.ts',
    'kit/contract/money.ts',
    'kit/contract/plans.ts',
    'kit/web/widgets/SummaryList.tsx',
  ],
  // Who is signed in, and who may see what: for pages of every feature, so no feature's own chunk may take it.
  guards: [
    'features/auth/web/account.queries.ts',
    'features/auth/web/guards.ts',
    'features/auth/web/use-account.ts',
    'features/auth/web/wanted-page.ts',
  ],
  // What a customer has, and what is left of it: for the dashboard and whatever leads to it.
  holdings: [
    'features/services/services.contract.ts',
    'features/services/web/services.queries.ts',
    'features/services/web/use-services.ts',
    'features/services/web/use-shown-numbers.ts',
    'features/usage/usage.contract.ts',
    'features/usage/web/queue.ts',
    'features/usage/web/usage.queries.ts',
  ],
  // Before what opens one, which would take it along.
  dialog: ['kit/web/widgets/Dialog.tsx'],
  choice: ['features/plans/web/plan-choice.ts', 'features/plans/web/plan-words.ts'],

  // Heavy, and of no use where no number is typed.
  phone: ['kit/contract/phone.ts'],
  // What is bought with, in the wizard and elsewhere: the wizard's own chunk would take it.
  buying: [
    'features/orders/orders.contract.ts',
    'features/orders/web/Confirming.tsx',
    'features/orders/web/use-payment.ts',
    'features/plans/plans.contract.ts',
    'features/vouchers/vouchers.contract.ts',
    'features/vouchers/web/saved-voucher.ts',
    // Whether the card is saved; with the payment's own chunk, signing up would load all of that.
    'kit/web/form/CheckboxField.tsx',
    'kit/web/idempotency-key.ts',
  ],
  // What pays when nothing is saved, and the card alone, which is saved without a purchase.
  cards: ['features/orders/web/use-new-card.tsx', 'kit/web/card/CardFields.tsx', 'kit/web/card/encrypted-card.ts'],
  doors: [
    'features/auth/login.contract.ts',
    'features/auth/web/AuthFrame.tsx',
    'features/auth/web/signed-in.ts',
    'kit/web/form/PasswordField.tsx',
  ],
  // By itself: in the chunk of the account's pages, signing up would load all of those.
  names: ['kit/contract/names.ts'],
  // For forms that work without an account: the wizard's own chunk would take it.
  cookies: ['kit/web/widgets/StepBar.tsx', 'kit/web/form/CookiesNeeded.tsx', 'kit/web/form/cookies-needed.ts'],
  packs: ['kit/web/form/ChoiceField.tsx', 'kit/web/form/PinInput.tsx'],
  inside: [
    'features/auth/web/FailureBanner.tsx',
    'kit/web/form/ChoiceCard.tsx',
    'kit/web/query/use-mutation.ts',
    'kit/web/widgets/Breadcrumb.tsx',
    'kit/web/widgets/EmailAddress.tsx',
    'kit/web/widgets/Pill.tsx',
    'kit/web/widgets/Price.tsx',
  ],
  // Each by itself, so that nothing of what follows takes it along.
  disclosure: ['kit/web/widgets/Disclosure.tsx'],
  plans: ['features/plans/web/plans.queries.ts'],
  rich: ['kit/web/widgets/RichText.tsx'],
  // What is loaded later is named in full by the page that loads it: one script instead of three.
  advice: [
    'features/history/history.contract.ts',
    'features/history/web/PlanAdviceNote.tsx',
    'features/history/web/advice.queries.ts',
  ],
  choosing: ['features/plans/web/PlanChooser.tsx', 'kit/web/widgets/LengthSlider.tsx'],
  gauges: [
    'features/services/web/schedule-of.ts',
    'features/usage/web/usage-words.ts',
    'kit/web/widgets/FanGauge.tsx',
    'kit/web/widgets/Popup.tsx',
    'kit/web/widgets/Progress.tsx',
  ],
} as const

/** What makes a form: whatever is in these folders but for these files, and these files. A page without one needs no schemas either. */
export const forms = {
  folders: ['kit/web/form', 'node_modules/valibot'],
  files: ['kit/contract/schema.ts', 'kit/contract/password.ts', 'kit/contract/email.ts'],
  // Errors are told outside forms too.
  others: ['kit/web/form/ErrorText.tsx'],
}

export const reactPackages = ['react', 'react-dom', 'scheduler']

/** The groups of the bundler's `codeSplitting` for the sources below `root`: a module goes into the first that takes it. */
export function chunkGroups(root: string) {
  const isIn = (folder: string, id: string): boolean => id.startsWith(`${root}/${folder}/`)
  const isOneOf = (files: readonly string[], id: string): boolean => files.some((file) => id === `${root}/${file}`)
  const isForm = (id: string): boolean =>
    isOneOf(forms.files, id) || (forms.folders.some((folder) => isIn(folder, id)) && !isOneOf(forms.others, id))
  const featureOf = (id: string): string | undefined =>
    isIn('features', id) && !id.endsWith('.states.ts') ? id.slice(root.length).split('/')[2] : undefined

  const { figures, phone, guards, holdings, dialog, choice, buying, cards, names, cookies, ...rest } = together
  const groupOf = (name: string, files: readonly string[]) => ({ name, test: (id: string) => isOneOf(files, id) })
  return [
    { name: 'react', test: (id: string) => reactPackages.some((name) => isIn(`node_modules/${name}`, id)) },
    // What comes with every page.
    {
      name: everyPages,
      tags: ['$initial' as const],
      test: (id: string) => !id.startsWith(`${root}/app/web/first.ts?`),
    },
    groupOf('figures', figures),
    groupOf('phone', phone),
    // What many pages need of the kit comes as one, and so does what the pages of one feature have in common.
    {
      name: 'common',
      test: (id: string) => (isIn('kit', id) || isIn('node_modules', id)) && !isForm(id) && !isOneOf(rest.inside, id),
      minShareCount: 12,
    },
    { name: 'forms', test: isForm, minShareCount: 12 },
    groupOf('guards', guards),
    groupOf('holdings', holdings),
    groupOf('dialog', dialog),
    groupOf('buying', buying),
    groupOf('choice', choice),
    groupOf('cards', cards),
    groupOf('names', names),
    groupOf('cookies', cookies),
    { debugName: 'features', name: featureOf, minShareCount: 3, minSize: 3_000 },
    ...Object.entries(rest).map(([name, files]) => groupOf(name, files)),
  ]
}
