import { accountScreens } from './account.screens.ts'
import { buyingScreens } from './buying.screens.ts'
import { dashboardScreens } from './dashboard.screens.ts'
import type { Screen } from './screen.ts'
import { serviceScreens } from './service.screens.ts'
import { troubleScreens } from './trouble.screens.ts'
import { visitorScreens } from './visitor.screens.ts'
import { wizardScreens } from './wizard.screens.ts'

export const screenCatalogue: Record<string, readonly Screen[]> = {
  visitor: visitorScreens,
  wizard: wizardScreens,
  dashboard: dashboardScreens,
  service: serviceScreens,
  buying: buyingScreens,
  account: accountScreens,
  trouble: troubleScreens,
}
