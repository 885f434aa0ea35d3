import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'
import { browserContracts } from './app/build/browser-contracts.ts'
import { classNameOf, classNames, shortClassNames } from './app/build/class-names.ts'
import { firstPages } from './app/build/first-pages.ts'
import { pageModules, pagesBelow } from './app/build/page-modules.ts'
import { everyPages } from './app/render/chunks.ts'

const root = import.meta.dirname
const isShared = (id: string): boolean => id.startsWith(`${root}/kit/`) || id.includes('/node_modules/')
// A page without a form needs no schemas either. Errors are told outside forms too.
const isForm = (id: string): boolean =>
  /\/kit\/(web\/form\/(?!ErrorText)|contract\/(schema|password)\.ts)|\/node_modules\/valibot\//.test(id)
const classNameIn = process.env['NODE_ENV'] === 'production' ? shortClassNames(root) : classNameOf
const isFirst = (id: string): boolean => id.startsWith(`${root}/app/web/first.ts?`)
const isFigure = (id: string): boolean => /\/kit\/contract\/(dates|money|plans)\.ts$/.test(id)
const isGuard = (id: string): boolean => /\/features\/auth\/web\/(account\.queries|guards|use-account)\.ts$/.test(id)
const isBuying = (id: string): boolean =>
  /\/(kit\/web\/idempotency-key|features\/((plans|orders|vouchers)\/\w+\.contract|vouchers\/web\/saved-voucher|orders\/web\/(use-payment|Confirming)))\.tsx?$/.test(
    id,
  )
const together = {
  doors: /\/(AuthFrame|PasswordField|signed-in|login\.contract)\.tsx?$/,
  packs: /\/(ChoiceField|PinInput)\.tsx$/,
  inside:
    /\/(Unavailable|NotFoundScreen|Breadcrumb|Pill|FailureBanner|EmailAddress|Price|ChoiceCard|use-mutation|services\.queries)\.tsx?$/,
  // Each by itself, so that nothing of what follows takes it along.
  disclosure: /\/Disclosure\.tsx$/,
  plans: /\/plans\.queries\.ts$/,
  choosing: /\/(PlanChooser|LengthSlider|RichText)\.tsx$/,
  gauges: /\/(FanGauge|Popup|usage-words|schedule-of)\.tsx?$/,
}
const featureOf = (id: string): string | undefined =>
  id.startsWith(`${root}/features/`) && !id.endsWith('.states.ts') ? id.slice(root.length).split('/')[2] : undefined

/** The portal, twice: for the browser, and for the server that renders it. `app/build.ts` says where to. */
export default {
  root,
  base: '/static/build/',
  publicDir: false,
  appType: 'custom',
  plugins: [
    react(),
    classNames(classNameIn),
    pageModules(root),
    firstPages(root, pagesBelow(root)),
    browserContracts(),
  ],
  // Vite's own serves every browser and host, and is three times as long.
  resolve: { alias: { '\0vite/preload-helper.js': `${root}/app/web/preload.ts` } },
  css: { modules: { generateScopedName: classNameIn } },
  // A build on a busy machine is no fault of a plugin.
  build: { rolldownOptions: { checks: { pluginTimings: false } } },
  environments: {
    client: {
      build: {
        manifest: 'manifest.json',
        // The first that know `light-dark()`, as the brand's sheet does, which no build goes over.
        cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5', 'ios17.5'],
        assetsDir: '',
        modulePreload: {
          polyfill: false,
          // What every page may load later is not waited for: its imports follow by themselves.
          resolveDependencies: (_file, imports, { hostId }) => (hostId.startsWith(everyPages) ? [] : imports),
        },
        // Everything is a file of ours: the page's policy allows no data: scripts or styles.
        assetsInlineLimit: 0,
        rolldownOptions: {
          // Schemas and endpoints are only made: what a page does not use of a contract need not be in its script.
          treeshake: {
            manualPureFunctions: [
              'v',
              'endpoint',
              'newPassword',
              'optionalText',
              'requiredEmail',
              'requiredSecret',
              'requiredText',
              'wireMoney',
            ],
          },
          output: {
            // Scripts name each other, the table of pages all of them: a name costs more than it tells.
            entryFileNames: '[hash:8].js',
            chunkFileNames: ({ name }) => (name === everyPages ? `${everyPages}-[hash:8].js` : '[hash:8].js'),
            assetFileNames: '[hash:8][extname]',
            codeSplitting: {
              groups: [
                { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// },
                // What comes with every page.
                { name: everyPages, tags: ['$initial'], test: (id) => !isFirst(id) },
                // Each file of its own compresses worse and is one more request: what many pages need of the kit comes
                // as one, and so does what the pages of one feature have in common.
                { name: 'figures', test: isFigure },
                { name: 'common', test: (id) => isShared(id) && !isForm(id), minShareCount: 12 },
                { name: 'forms', test: isForm, minShareCount: 12 },
                // Who is signed in, and who may see what: for pages of every feature, so no feature's own chunk may take it.
                { name: 'guards', test: isGuard },
                // What is bought with, in the wizard and elsewhere: the wizard's own chunk would take it.
                { name: 'buying', test: isBuying },
                { debugName: 'features', name: featureOf, minShareCount: 3, minSize: 3_000 },
                // What is small and goes together, in one file instead of many: each is a request, and more header than script.
                ...Object.entries(together).map(([name, test]) => ({ name, test })),
              ],
            },
          },
        },
      },
      optimizeDeps: { entries: ['app/web/entry-client.tsx', 'features/*/web/**/*.tsx'] },
    },
    ssr: {
      build: {
        ssr: true,
        rolldownOptions: { input: 'app/web/entry-server.tsx', output: { codeSplitting: false } },
      },
    },
  },
} satisfies UserConfig
