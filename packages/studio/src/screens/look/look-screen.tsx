export const LookScreen = () => <h1>look</h1>
