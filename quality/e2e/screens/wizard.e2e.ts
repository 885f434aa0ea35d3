import { checkScreens } from './check-screens.ts'
import { wizardScreens } from './wizard.screens.ts'

checkScreens('wizard', wizardScreens)
