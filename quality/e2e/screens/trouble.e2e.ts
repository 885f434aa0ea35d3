import { troubleScreens } from './trouble.screens.ts'
import { checkScreens } from './check-screens.ts'

checkScreens('trouble', troubleScreens)
