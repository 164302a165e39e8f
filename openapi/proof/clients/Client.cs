// A client generated for C# at work: see ../README.md.
using System;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Threading.Tasks;
using Foyer;

static class Client
{
    static FoyerClient ClientAt(string url, string token = null)
    {
        var http = new HttpClient();
        http.DefaultRequestHeaders.Add("X-App-Key", Environment.GetEnvironmentVariable("FOYER_APP_KEY"));
        if (token != null) http.DefaultRequestHeaders.Add("Authorization", "Bearer " + token);
        return new FoyerClient(http) { BaseUrl = url };
    }

    static async Task<string> CodeOf(FoyerClient client, PasswordSignInRequest wrong)
    {
        try
        {
            await client.SignInWithPasswordAsync(null, null, null, wrong);
            return "none";
        }
        catch (ApiException<ErrorEnvelope> failure)
        {
            return failure.Result.Error.Code;
        }
    }

    static async Task Run()
    {
        var url = Environment.GetEnvironmentVariable("FOYER_BASE_URL");
        var newer = Environment.GetEnvironmentVariable("FOYER_NEWER_URL");
        var email = Environment.GetEnvironmentVariable("FOYER_EMAIL");
        var password = "correct horse battery staple";
        var anyone = ClientAt(url);
        await anyone.SignInSignUpAsync(null, null, new SignUpRequest { Email = email, Password = password });
        Console.WriteLine("ok sign-up");
        var signIn = new PasswordSignInRequest { Email = email, Password = password };
        var first = (await anyone.SignInWithPasswordAsync(null, null, null, signIn)).Data;
        Console.WriteLine("ok sign-in");
        var next = (await anyone.SessionsRefreshAsync(new RefreshRequest { Refresh_token = first.Refresh_token })).Data;
        Console.WriteLine("ok refresh");
        var user = ClientAt(url, next.Access_token);
        if ((await user.ProfileGetAsync()).Data.Email == email) Console.WriteLine("ok me");
        var query = new QueryRecordsRequest
        {
            Where = new[] { new QueryCondition { Field = "done", Op = QueryConditionOp.__, Value = false } },
        };
        if ((await user.DataQueryAsync("notes", query)).Data.Items != null) Console.WriteLine("ok query");
        using (var file = File.OpenRead(Environment.GetEnvironmentVariable("FOYER_FILE")))
        {
            var uploaded = await user.FilesUploadAsync(new FileParameter(file, "photo.png", "image/png"), Visibility.Private);
            if (uploaded.Data.Size > 0) Console.WriteLine("ok upload");
        }
        var wrong = new PasswordSignInRequest { Email = email, Password = "not the password" };
        if (await CodeOf(anyone, wrong) == "auth/invalid-credential") Console.WriteLine("ok error");
        if (await CodeOf(ClientAt(newer), wrong) == "auth/from-the-future") Console.WriteLine("ok new code");
        var sessions = await ClientAt(newer, next.Access_token).SessionsListAsync(null, null);
        if (sessions.Data.Items.First().Method == "hologram") Console.WriteLine("ok new value");
    }

    static void Main()
    {
        Run().GetAwaiter().GetResult();
    }
}
