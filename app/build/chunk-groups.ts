import { sharedEntryName } from '../render/chunks.ts'

/**
 * Groups of files, each of which is bundled into a single script. Separate scripts would compress less well, and each
 * would need its own request.
 */
export const sharedScripts = {
  figures: [
    'kit/contract/countries.ts',
    'kit/contract/dates.ts',
    'kit/contract/local-date-time.ts',
    'kit/contract/money.ts',
    'kit/contract/plans.ts',
    'kit/web/widgets/SummaryList.tsx',
    'features/plans/web/summary.labels.ts',
  ],
  moments: ['kit/contract/format-moment.ts', 'kit/contract/zone-name.ts'],
  // Every feature uses the signed-in account and the page guards, so they have a chunk of their own.
  guards: [
    'features/auth/web/account.queries.ts',
    'features/auth/web/guards.ts',
    'features/auth/web/use-user.ts',
    'features/auth/web/requested-page.ts',
  ],
  holdings: [
    'features/services/services.contract.ts',
    'features/services/web/services.queries.ts',
    'features/services/web/use-services.ts',
    'features/services/web/use-shown-numbers.ts',
    'features/usage/usage.contract.ts',
    'features/usage/web/create-queue.ts',
    'features/usage/web/usage.queries.ts',
  ],
  /*
   * The dialog's group comes before the groups of components that open a dialog. Otherwise `Dialog.tsx` would end up in
   * one of their chunks.
   */
  dialog: ['kit/web/widgets/Dialog.tsx'],
  choice: ['features/plans/web/plan-choice.ts', 'features/plans/web/plan.labels.ts'],

  phone: ['kit/contract/phone.ts'],
  buying: [
    'features/orders/orders.contract.ts',
    'features/orders/web/PaymentPending.tsx',
    'features/orders/web/use-payment.ts',
    'features/plans/plans.contract.ts',
    'features/vouchers/vouchers.contract.ts',
    'features/vouchers/web/saved-voucher.ts',
    // Sign-up also uses these form files. Without this group, sign-up would load the whole payment chunk.
    'kit/web/form/CheckboxField.tsx',
    'kit/web/idempotency-key.ts',
  ],
  cards: ['features/orders/web/use-new-card.tsx', 'kit/web/card/CardFields.tsx', 'kit/web/card/encrypted-card.ts'],
  doors: [
    'features/auth/login.contract.ts',
    'features/auth/web/AuthFrame.tsx',
    'features/auth/web/set-signed-in.ts',
    'kit/web/form/PasswordField.tsx',
  ],
  // Only the forms for accounts use these, so they are not part of the script for all forms.
  accounts: ['kit/contract/email.ts', 'kit/contract/password.ts'],
  // The schema for people's names has its own group. Otherwise sign-up would have to load the chunk for the account pages.
  names: ['kit/contract/names.ts'],
  // Forms that work without an account share these files. Without this group, they would be bundled into the activation wizard's chunk.
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
  disclosure: ['kit/web/widgets/Disclosure.tsx'],
  plans: ['features/plans/web/plans.queries.ts'],
  rich: ['kit/web/widgets/RichText.tsx'],
  // Every page lists the scripts that it may load later. Merging these three scripts into one keeps that list short.
  advice: [
    'features/history/history.contract.ts',
    'features/history/web/PlanAdviceNote.tsx',
    'features/history/web/advice.queries.ts',
  ],
  choosing: ['features/plans/web/PlanChooser.tsx', 'kit/web/widgets/LengthSlider.tsx'],
  // The lists that only a click or a catalogue of many plans needs.
  planLists: [
    'kit/contract/match-words.ts',
    'features/plans/web/LongPlanList.tsx',
    'features/plans/web/PlanGroups.tsx',
    'features/plans/web/PlanTable.tsx',
  ],
  gauges: [
    'features/services/web/current-schedule.ts',
    'features/usage/web/usage.labels.ts',
    'kit/web/widgets/RadialGauge.tsx',
    'kit/web/widgets/Popup.tsx',
    'kit/web/widgets/Progress.tsx',
  ],
} as const

export const formModules = {
  folders: ['kit/web/form', 'node_modules/valibot'],
  files: ['kit/contract/clean-text.ts', 'kit/contract/schema.ts'],
  others: ['kit/web/form/ErrorText.tsx'],
}

export const reactPackages = ['react', 'react-dom', 'scheduler']

/** Chunk groups for the bundler, in order of priority: a module goes into the first group that matches it. */
export function chunkGroups(root: string) {
  const isIn = (folder: string, id: string): boolean => id.startsWith(`${root}/${folder}/`)
  const isOneOf = (files: readonly string[], id: string): boolean => files.some((file) => id === `${root}/${file}`)
  const isForm = (id: string): boolean =>
    isOneOf(formModules.files, id) ||
    (formModules.folders.some((folder) => isIn(folder, id)) && !isOneOf(formModules.others, id))
  const findFeature = (id: string): string | undefined =>
    isIn('features', id) && !id.endsWith('.states.ts') ? id.slice(root.length).split('/')[2] : undefined

  const {
    figures,
    moments,
    phone,
    guards,
    holdings,
    dialog,
    choice,
    buying,
    cards,
    accounts,
    names,
    cookies,
    ...rest
  } = sharedScripts
  const createGroup = (name: string, files: readonly string[]) => ({ name, test: (id: string) => isOneOf(files, id) })
  return [
    { name: 'react', test: (id: string) => reactPackages.some((name) => isIn(`node_modules/${name}`, id)) },
    {
      name: sharedEntryName,
      tags: ['$initial' as const],
      test: (id: string) => !id.startsWith(`${root}/app/web/first.ts?`),
    },
    createGroup('figures', figures),
    createGroup('moments', moments),
    createGroup('phone', phone),
    {
      name: 'common',
      test: (id: string) =>
        (isIn('kit', id) || isIn('node_modules', id)) && !isForm(id) && !isOneOf([...accounts, ...rest.inside], id),
      minShareCount: 12,
    },
    { name: 'forms', test: isForm, minShareCount: 12 },
    createGroup('guards', guards),
    createGroup('holdings', holdings),
    createGroup('dialog', dialog),
    createGroup('buying', buying),
    createGroup('choice', choice),
    createGroup('cards', cards),
    createGroup('accounts', accounts),
    createGroup('names', names),
    createGroup('cookies', cookies),
    { debugName: 'features', name: findFeature, minShareCount: 3, minSize: 3_000 },
    ...Object.entries(rest).map(([name, files]) => createGroup(name, files)),
  ]
}
