import { defineConfig } from 'vitest/config'

// Includes only tests of the rules being mutated, because each test is run again for every mutant that it reaches.
export default defineConfig({
  test: {
    include: [
      'kit/contract/*.test.ts',
      'kit/server/{card-expiry,password-rule,plan-period,zone-clock}.test.ts',
      'kit/web/card/*.test.ts',
      'features/**/*.{states,times}.test.ts',
      'features/refused-payments/server/back-off.test.ts',
      'features/{alerts,error-reports,usage,vouchers}/**/*.test.ts',
      'providers/card/notification.test.ts',
      'providers/network/{event,number-port-status}.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/*.{api,jobs,kill,postgres,race}.test.ts'],
    setupFiles: ['quality/support/forbid-output.ts'],
    restoreMocks: true,
    testTimeout: 240_000,
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
